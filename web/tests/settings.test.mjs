import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { web, page } = await office()

const own = async (path) => (await (await page.context().request.get(`/dashboard${path}`)).json()).data
const fill = async (values) => {
  for (const [label, value] of Object.entries(values)) await page.getByRole('dialog').getByLabel(label).fill(value)
}
const save = () => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()

test('profile: the name', async () => {
  await page.goto('/settings/profile')
  await page.getByLabel('First name').fill('Olivia')
  await page.getByRole('button', { name: 'Save name' }).click()
  await until(async () => (await read(page, '/workspace/members'))[0].first_name === 'Olivia', 'the name is kept')
})

test('workspace: name and currency', async () => {
  await page.goto('/settings/workspace')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Another name')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(async () => (await read(page, '/me')).workspace.name === 'Another name', 'the name is kept')
})

test('tags', async () => {
  await page.goto('/settings/tags')
  await page.getByRole('button', { name: 'New tag' }).click()
  await fill({ Name: 'Urgent' })
  await save()
  await until(async () => (await read(page, '/tags')).some((one) => one.name === 'Urgent'), 'the tag is there')
})

test('tags: two are merged', async () => {
  await page.goto('/settings/tags')
  await page.getByRole('button', { name: 'New tag' }).click()
  await fill({ Name: 'Pressing' })
  await save()
  await page.getByRole('button', { name: 'Merge Pressing' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Into' }).click()
  await page.getByRole('option', { name: 'Urgent' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  const names = async () => (await read(page, '/tags')).map((one) => one.name)
  await until(async () => !(await names()).includes('Pressing') && (await names()).includes('Urgent'), 'one is left')
})

test('erased addresses: one is allowed again', async () => {
  const person = { first_name: 'Mary', email: 'mary@example.com', phone: '+49 30 1234567' }
  const { id } = await write(page, 'POST', '/contacts', person)
  await write(page, 'DELETE', `/contacts/${id}?erase=true`)
  await assert.rejects(write(page, 'POST', '/contacts', person), /409/)
  await page.goto('/settings/erased')
  const field = page.getByLabel('Email address, phone number or profile')
  const button = page.getByRole('button', { name: 'Allow again' })
  assert.equal(await button.isDisabled(), true)
  await field.fill('nobody@example.com')
  await button.click()
  await page.getByText('This address was not erased').waitFor()
  await field.fill('MARY@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('MARY@example.com can be stored again').waitFor()
  await assert.rejects(write(page, 'POST', '/contacts', person), /409/, 'the phone number is still erased')
  await field.fill('0049 (0)30 1234567')
  await button.click()
  await page.getByText('0049 (0)30 1234567 can be stored again').waitFor()
  const back = await write(page, 'POST', '/contacts', person)
  assert.equal((await read(page, `/contacts/${back.id}`)).emails[0].email, 'mary@example.com')
})

test('custom fields: one with a list', async () => {
  await page.goto('/settings/fields')
  await page.getByRole('button', { name: 'New field' }).click()
  await fill({ Label: 'Seniority' })
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Single select' }).click()
  for (const choice of ['Junior', 'Senior']) {
    await page.getByRole('combobox', { name: 'Options' }).fill(choice)
    await page.keyboard.press('Enter')
  }
  await save()
  const [field] = await until(
    async () => (await read(page, '/contacts/custom-fields')).length && read(page, '/contacts/custom-fields'),
    'it is there',
  )
  assert.deepEqual(
    [field.key, field.type, field.options.map((one) => one.label)],
    ['seniority', 'select', ['Junior', 'Senior']],
  )
})

test('custom fields: an option is renamed', async () => {
  await page.goto('/settings/fields')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('combobox', { name: 'Rename an option' }).click()
  await page.getByRole('option', { name: 'Senior' }).click()
  await fill({ 'New name': 'Lead' })
  await save()
  const labels = async () => (await read(page, '/contacts/custom-fields'))[0].options.map((one) => one.label)
  await until(async () => (await labels()).join() === 'Junior,Lead', 'it has the new name')
})

test('pipelines: a stage is added, moved and deleted', async () => {
  const names = async () => (await read(page, '/deal-pipelines'))[0].stages.map((one) => one.name)
  await page.goto('/settings/pipelines')
  await page.getByRole('button', { name: 'Add stage' }).click()
  await fill({ Name: 'Demo', 'Probability in percent': '40' })
  await save()
  await until(async () => (await names()).includes('Demo'), 'it is there')
  await page.getByRole('button', { name: 'Demo earlier' }).click()
  await until(async () => (await names()).at(-2) === 'Demo', 'it moved')
  await page.getByRole('button', { name: 'Delete Demo' }).click()
  await page.getByRole('button', { name: 'Delete stage' }).click()
  await until(async () => !(await names()).includes('Demo'), 'it is gone')
})

test('project templates', async () => {
  await page.goto('/settings/templates')
  await page.getByRole('button', { name: 'New template' }).click()
  await fill({ Name: 'Sales' })
  await save()
  await until(async () => (await read(page, '/project-templates')).some((one) => one.name === 'Sales'), 'it is there')
})

test('reasons', async () => {
  await page.goto('/settings/reasons')
  await page.getByRole('button', { name: 'Add' }).first().click()
  await fill({ Name: 'Moved away' })
  await save()
  await until(
    async () => (await read(page, '/reasons?kind=rejection')).some((one) => one.name === 'Moved away'),
    'it is there',
  )
})

test('sending: an address is suppressed and allowed again', async () => {
  await page.goto('/settings/sending')
  await page.getByLabel('Address or domain').fill('never@example.com')
  await page.getByRole('button', { name: 'Add' }).click()
  await until(async () => (await read(page, '/suppressions')).length === 1, 'it is there')
  await page.getByRole('button', { name: 'Allow' }).click()
  await until(async () => (await read(page, '/suppressions')).length === 0, 'it is gone')
})

test('plan: a smaller one hides features that it lacks', async () => {
  await page.goto('/settings/plan')
  await page.getByRole('combobox', { name: 'Plan' }).click()
  await page.getByRole('option', { name: /^Growth/ }).click()
  await page.getByRole('button', { name: 'Change plan' }).click()
  await until(async () => (await read(page, '/me')).workspace.plan === 'growth', 'the plan is another')
})

test('system: the state of the server', async () => {
  await page.goto('/settings/system')
  await page
    .getByRole('cell', { name: (await own('/system')).version })
    .first()
    .waitFor()
})

test('the console stayed quiet', () => {
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400|status of 404 .*\/erased-addresses$/.test(one)),
    [],
  )
})
