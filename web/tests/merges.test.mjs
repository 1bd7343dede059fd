// Merging records: the page shows the result, and the merge can be undone as long as the server allows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { web, page } = await office()

const person = (body) => write(page, 'POST', '/contacts', body)
const chosen = () => page.locator('section, .card').filter({ hasText: 'Selected records' }).first()
const radio = (name) => chosen().getByRole('radio', { name, exact: true })
const after = (key) => chosen().getByTestId(`after-${key}`)

test('the page marks the values that the server will keep', async () => {
  const team = { key: 'team', label: 'Team', type: 'text' }
  await write(page, 'POST', '/dashboard/custom-fields?object=contacts', team)
  const company = await write(page, 'POST', '/companies', { name: 'Aster Labs' })
  const one = await person({
    first_name: 'Eve',
    last_name: 'Twin',
    current_company: 'Boats',
    custom_data: { team: 'Looms' },
  })
  const two = await person({
    first_name: 'Eva',
    last_name: 'Twin',
    current_company: 'Aster Labs',
    company_id: company.id,
    global_status: 'qualified',
    custom_data: { team: 'Engines' },
  })
  await page.goto(`/duplicates?ids=${one.id},${two.id}`)
  // The survivor's name, the furthest status.
  await until(async () => radio('First name of Eve Twin').isChecked(), 'the survivor keeps its name')
  assert.equal(await radio('Status of Eva Twin').isChecked(), true)
  assert.equal(await after('global_status').innerText(), 'Qualified')
  // Custom fields that differ are shown, too.
  assert.equal(await radio('Team of Eve Twin').isChecked(), true)
  assert.equal(await after('custom_data.team').innerText(), 'Looms')
  // The company and the linked company are chosen together.
  await radio('Company of Eva Twin').click()
  await until(async () => radio('Linked company of Eva Twin').isChecked(), 'both are of one record')
  await until(async () => (await after('company_id').innerText()) === 'Aster Labs', 'the result shows it')
  await radio('Linked company of Eve Twin').click()
  await until(async () => radio('Company of Eve Twin').isChecked(), 'and the other way round')
  await radio('Company of Eva Twin').click()
  await until(async () => (await after('current_company').innerText()) === 'Aster Labs', 'it is chosen again')
  await chosen().getByRole('button', { name: 'Merge', exact: true }).click()
  await until(async () => (await read(page, `/contacts/${two.id}`)).id === one.id, 'the records are merged')
  const merged = await read(page, `/contacts/${one.id}`)
  assert.deepEqual(
    [merged.first_name, merged.global_status, merged.current_company, merged.company_id],
    ['Eve', 'qualified', 'Aster Labs', company.id],
  )

  // The record's page can undo it, long after the notice has disappeared.
  await page.goto(`/contacts/${one.id}`)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByText('Merged with Eva Twin').waitFor()
  assert.equal(await page.getByText(two.id).count(), 0)
  await page.getByRole('button', { name: 'Undo merge' }).click()
  await page.getByRole('dialog', { name: 'Undo this merge?' }).getByRole('button', { name: 'Undo merge' }).click()
  await until(async () => (await read(page, `/contacts/${two.id}`)).first_name === 'Eva', 'she is back')
  await page.getByText('Merge with Eva Twin undone').waitFor()
  await page.getByRole('button', { name: 'Undo merge' }).waitFor({ state: 'detached' })
})

test('companies have their own labels', async () => {
  for (const name of ['Bolt', 'Bolt Ltd']) await write(page, 'POST', '/companies', { name, domain: 'bolt.example.com' })
  await page.goto('/duplicates?of=companies')
  await page.getByText('People, deals, projects, notes, tasks and files go along').waitFor()
  assert.equal(await page.getByText(/unsubscribed/).count(), 0)
})

test('hidden pairs can be shown again', async () => {
  await page.goto('/duplicates?of=companies')
  await page.getByRole('button', { name: 'Not a duplicate' }).click()
  await page.getByText('in this browser only').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Merge', exact: true }).count(), 0)
  await page.getByRole('button', { name: 'Show hidden pairs again' }).click()
  await page.getByRole('button', { name: 'Merge', exact: true }).waitFor()
  assert.deepEqual(web.troubles, [])
})
