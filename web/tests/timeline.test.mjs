// The timeline of contacts, companies, deals and projects.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { barriers, office, until, write } from './support.mjs'

const { web, page } = await office()
let ada
let company
let deal
let project

before(async () => {
  company = await write(page, 'POST', '/companies', { name: 'Lantern Systems' })
  ada = await write(page, 'POST', '/contacts', { first_name: 'Ada', company_id: company.id })
  for (const title of ['Analyst', 'Engineer', 'CTO']) await write(page, 'PUT', `/contacts/${ada.id}`, { title })
  await write(page, 'POST', `/contacts/${ada.id}/notes`, { content: 'Prefers calls after four.' })
  await write(page, 'PUT', `/contacts/${ada.id}`, { location: 'Turin' })
  const task = await write(page, 'POST', '/tasks', { title: 'Call Ada', type: 'call', contact_id: ada.id })
  await write(page, 'PUT', `/tasks/${task.id}`, { status: 'done' })
  deal = await write(page, 'POST', '/deals', { title: 'Ten engineers', company_id: company.id, contact_ids: [ada.id] })
  for (const amount of [10, 20]) await write(page, 'PUT', `/deals/${deal.id}`, { amount })
  project = await write(page, 'POST', '/projects', { name: 'Head of Engines' })
  for (const location of ['Rome', 'Milan']) await write(page, 'PUT', `/projects/${project.id}`, { location })
})

const day = (name) => page.getByRole('region', { name, exact: true })
const fold = (text) => page.getByRole('button', { name: text, exact: true })

test('events are grouped by day, and small changes are folded until they are opened', async () => {
  await page.goto(`/contacts/${ada.id}?open=timeline`)
  await day('Today').getByText('Prefers calls after four.').waitFor()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  assert.equal(await page.getByText('Analyst → Engineer').count(), 0)
  // A single change is shown as it is, and so is a finished task.
  await page.getByText('— → Turin').waitFor()
  await page.getByText('todo → done').waitFor()
  await fold('3 small changes').press('Enter')
  await page.getByText('Analyst → Engineer').waitFor()
  await page.getByText('Engineer → CTO').waitFor()
  await fold('3 small changes').press('Enter')
  await page.getByText('Analyst → Engineer').waitFor({ state: 'detached' })

  const { page: later, context } = await web.open({ storageState: await web.context.storageState() })
  await later.clock.setFixedTime(new Date(Date.now() + 864e5))
  await later.goto(`/contacts/${ada.id}?open=timeline`)
  await later.getByRole('heading', { name: 'Yesterday' }).waitFor()
  await context.close()
})

test('changes have the labels and words of the fields', async () => {
  const { id } = await write(page, 'POST', '/contacts', { first_name: 'Grace' })
  await write(page, 'PUT', `/contacts/${id}`, { global_status: 'qualified' })
  await page.goto(`/contacts/${id}?open=timeline`)
  await page.getByText('Status: New → Qualified').waitFor()
  assert.equal(await page.getByText(/global/i).count(), 0)
})

test('a timeline shows one kind of events, and the address keeps the choice', async () => {
  await page.goto(`/contacts/${ada.id}?open=timeline`)
  await page.getByRole('button', { name: 'All activity' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Notes' }).click()
  await until(async () => (await page.getByText('Task “Call Ada” added').count()) === 0, 'tasks are hidden')
  await page.getByText('Prefers calls after four.').waitFor()
  await page.reload()
  await page.getByText('Prefers calls after four.').waitFor()
  assert.equal(await page.getByText('Task “Call Ada” added').count(), 0)
  await page.getByRole('button', { name: 'Notes', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Changes' }).click()
  // Changes alone are not folded.
  await page.getByText('Analyst → Engineer').waitFor()
  for (const name of ['Messages', 'Tasks', 'Deals', 'Projects', 'Sequences', 'Files', 'All activity']) {
    await page.locator('[class*="filter"]').first().click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('button', { name, exact: true }).waitFor()
  }
  await page.getByText('Prefers calls after four.').waitFor()
})

test('companies, deals and projects have the same timeline, and other records are linked', async () => {
  await page.goto(`/deals/${deal.id}?open=timeline`)
  await fold('2 small changes').click()
  await page.getByText('10 → 20').waitFor()
  await page.goto(`/projects/${project.id}?open=timeline`)
  await fold('2 small changes').click()
  await page.getByText('Rome → Milan').waitFor()
  await page.goto(`/companies/${company.id}?open=timeline`)
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  await page.getByRole('link', { name: 'Deal “Ten engineers” added' }).click()
  await page.getByRole('heading', { name: 'Ten engineers' }).waitFor()
})

test('an enrollment names its sequence', async () => {
  const sequence = await write(page, 'POST', '/sequences', {
    name: 'First contact',
    steps: [{ type: 'task', name: 'Call', delay_days: 3 }],
  })
  await write(page, 'POST', `/sequences/${sequence.id}/start`, {})
  const { results } = await write(page, 'POST', `/sequences/${sequence.id}/enroll`, { contact_ids: [ada.id] })
  assert.equal(results[0].outcome, 'enrolled')
  await page.goto(`/contacts/${ada.id}?open=timeline`)
  await page.getByRole('link', { name: `Enrolled in “${sequence.name}”` }).waitFor()
})

test('a timeline has no barriers, in light, dark and on a phone', async () => {
  for (const more of [{}, { colorScheme: 'dark' }, { viewport: { width: 390, height: 844 }, hasTouch: true }]) {
    const state = { storageState: await web.context.storageState(), bypassCSP: true, ...more }
    const { page: other, context } = await web.open(state)
    await other.goto(`/contacts/${ada.id}?open=timeline`)
    await other.getByRole('button', { name: '3 small changes' }).click()
    assert.deepEqual(await barriers(other), [])
    await context.close()
  }
})

test('the console stayed quiet', () => assert.deepEqual(web.troubles, []))
