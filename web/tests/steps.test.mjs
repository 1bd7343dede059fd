// What an email of a sequence has besides its text: copies, files, templates, tests and warnings.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, OWNER, office, read, until, write, written } from './support.mjs'

const { server, web, page } = await office()
let control
let project

before(async () => {
  const [, smtp, imap, found] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*control (\S+)\nready/)
  control = found
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' })
  project = await write(page, 'POST', '/projects', { name: 'Engine builders' })
  await write(page, 'POST', '/message-templates', {
    name: 'Introduction',
    subject: 'Hello {{ first_name }}',
    content: 'Dear {{ first_name }}, may I call you?',
  })
})

const create = (body) => write(page, 'POST', '/sequences', { name: 'Mails', ...body })
const stepOf = async (id, index = 0) => (await read(page, `/sequences/${id}`)).steps[index]
const text = () => page.getByRole('textbox', { name: 'Text', exact: true })
const save = async () => {
  await page.getByRole('button', { name: 'Save steps' }).click()
  await page.getByText('Steps saved').first().waitFor()
}
const leave = () => page.once('dialog', (dialog) => dialog.accept())

test('a step gets a template, copies, an address for replies and files of its project', async () => {
  const { id } = await create({ project_id: project.id })
  await page.goto(`/sequences/${id}?open=steps`)
  await page.getByRole('button', { name: 'Add the first step' }).click()
  await page.getByRole('menuitem', { name: 'Email', exact: true }).click()
  await page.getByRole('button', { name: 'Template' }).click()
  await page.getByRole('option', { name: /Introduction/ }).click()
  await until(async () => (await written(text())).startsWith('Dear {{ first_name }}'), 'the text is inserted')
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Hello {{ first_name }}')
  await text().press('Control+End')
  await page.getByRole('button', { name: 'Variable' }).click()
  await page.keyboard.type('unsubscribe')
  await page.keyboard.press('Enter')
  await until(async () => (await written(text())).endsWith('{{ unsubscribe_url }}'), 'the link is inserted')

  await page.getByRole('button', { name: 'Cc, Bcc and Reply to' }).click()
  await page.getByRole('combobox', { name: 'Cc', exact: true }).fill('grace@example.com, log@example.com,')
  await page.getByRole('combobox', { name: 'Bcc' }).fill('not an address')
  await page.getByLabel('Reply to').fill('team@example.com')
  await page.getByRole('button', { name: 'Save steps' }).click()
  await until(
    async () => (await page.getByRole('combobox', { name: 'Bcc' }).getAttribute('aria-invalid')) === 'true',
    'the wrong address is marked',
  )
  await page.getByRole('combobox', { name: 'Bcc' }).focus()
  // It goes back into the field, where it is removed.
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'role.txt', mimeType: 'text/plain', buffer: Buffer.from('Builds engines') })
  // It can be removed when it has been uploaded.
  await page.getByRole('button', { name: 'Remove role.txt' }).waitFor()
  await save()
  const step = await stepOf(id)
  const [file] = await read(page, `/projects/${project.id}/files`)
  assert.deepEqual(
    [step.cc, step.bcc, step.reply_to, step.attachments],
    [['grace@example.com', 'log@example.com'], [], 'team@example.com', [file.id]],
  )
  // The names of files are there again after a reload.
  await page.reload()
  await page.getByRole('list', { name: 'Attachments' }).getByText('role.txt').waitFor()
  await page.getByRole('button', { name: 'Remove role.txt' }).click()
  await page.getByRole('button', { name: 'Attach' }).click()
  await page.getByRole('menuitem', { name: /role\.txt/ }).click()
  await page.getByRole('list', { name: 'Attachments' }).getByText('role.txt').waitFor()
  leave()
})

test('a test of a new step saves it first and goes to the user', async () => {
  const { id } = await create({})
  await page.goto(`/sequences/${id}?open=steps`)
  await page.getByRole('button', { name: 'Add the first step' }).click()
  await page.getByRole('menuitem', { name: 'Email', exact: true }).click()
  await page.getByLabel('Subject').fill('Hello {{ first_name }}')
  await text().fill('Dear {{ title }}')
  const button = page.getByRole('button', { name: 'Save and send me a test' })
  assert.equal(await button.isDisabled(), true)
  await page.getByRole('combobox', { name: 'Preview as' }).click()
  await page.getByRole('option', { name: /Ada Example/ }).click()
  // A value that is missing is shown at the text.
  await page
    .getByText(/No value for title/)
    .first()
    .waitFor()
  await text().fill('Dear {{ first_name }}, this is a test')
  await button.click()
  await page.getByText(`Test sent to ${OWNER.email} from office@mail.example.org`).waitFor()
  const sent = async () => (await fetch(`${control}/mails?to=${OWNER.email}`).then((one) => one.json())).mails
  const [mail] = await until(async () => ((await sent()).length === 1 ? sent() : false), 'the test arrives')
  assert.equal(mail.subject, 'Hello Ada')
  assert.equal((await stepOf(id)).body, 'Dear {{ first_name }}, this is a test')
  assert.deepEqual(await read(page, '/messages'), [])
})

test('Start shows the warnings of the server, with the names of the steps', async () => {
  const { id } = await create({
    steps: [{ type: 'email', name: 'First mail', subject: 'Hello', body: 'Hello { first_name }' }],
  })
  await page.goto(`/sequences/${id}`)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const warned = page.getByRole('alert').filter({ hasText: /^Started, with/ })
  await warned.getByText('No unsubscribe link is in the text of First mail.').waitFor()
  await warned
    .getByText('Names have a brace too few and are sent as they are written: first_name in First mail (Text).')
    .waitFor()
  await warned.getByText(/^Add \{\{ unsubscribe_url \}\}/).waitFor()
  assert.equal((await read(page, `/sequences/${id}`)).status, 'active')
  await warned.getByRole('button', { name: 'Close' }).click()
  await warned.waitFor({ state: 'detached' })
})

test('the step editor is accessible, also on a phone and in the dark', async () => {
  const { id } = await create({
    project_id: project.id,
    steps: [{ type: 'email', subject: 'Hello', body: 'Hello', cc: ['grace@example.com'] }],
  })
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  await other.page.goto(`/sequences/${id}?open=steps`)
  await other.page.getByRole('combobox', { name: 'Cc', exact: true }).waitFor()
  assert.deepEqual(await hindrances(other.page), [])
  await other.context.close()
  assert.deepEqual([...other.troubles, ...web.troubles.filter((one) => !/status of 400/.test(one))], [])
})
