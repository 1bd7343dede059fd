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

test('a variable with a brace too few gets a warning while it is typed', async () => {
  const { id } = await create({ steps: [{ type: 'email', subject: 'Hello', body: 'Hello' }] })
  await page.goto(`/sequences/${id}?open=steps`)
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  const subject = page.getByLabel('Subject')
  const announced = page.getByRole('status')
  const described = (field) =>
    field.evaluate((one) =>
      (one.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    )
  await text().fill('Dear { first_name }, {title}} and {{ last_name }}')
  const warning =
    '“first_name”, “title” have a brace too few and are sent as they are written. Write two braces on both sides: {{ first_name }}'
  await announced.filter({ hasText: `Text: ${warning}` }).waitFor()
  assert.ok((await described(text())).includes(warning))
  assert.equal(await text().getAttribute('aria-invalid'), null)
  await subject.fill('For {custom_data.level}')
  await announced.filter({ hasText: 'Subject: “custom_data.level” has a brace too few' }).waitFor()
  assert.match(await described(subject), /“custom_data\.level” has a brace too few and is sent as it is written/)
  assert.equal(await subject.getAttribute('aria-invalid'), null)
  // It is no error: the step can be saved.
  await save()
  await subject.fill('For {{ first_name }}')
  await text().fill('Dear {{ first_name }}, {a place} and p{color:red}')
  await until(async () => (await page.getByText(/brace too few/).count()) === 0, 'the warnings are gone')
  await save()
})

test('what is wrong with a schedule is said at its field, in words', async () => {
  const steps = [
    { client_key: 'one', type: 'email', subject: 'Hello', body: 'Hello' },
    {
      type: 'email',
      name: 'Seen',
      subject: 'Again',
      body: 'Hello',
      parent_step_id: 'one',
      branch_condition: { type: 'opened', after_days: 2 },
    },
  ]
  const { id } = await create({ mode: 'advanced', schedule_config: { track_opens: true }, steps })
  await page.goto(`/sequences/${id}?open=schedule`)
  const field = (label) => page.getByLabel(label, { exact: true })
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
  for (const day of days) await page.getByRole('checkbox', { name: day }).uncheck()
  await field('From').fill('9 am')
  await field('Until').fill('25:00')
  await field('Maximum messages a day').fill('100001')
  await field('Minimum gap (minutes)').fill('1441')
  await page.getByRole('switch', { name: /^Count opens/ }).uncheck()
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
  await save()
  const said = page.getByRole('alert')
  for (const words of [
    'Choose at least one day',
    'Enter a time from 00:00 to 23:59, such as 09:00',
    'Enter a time from 00:00 to 24:00, such as 18:00',
    'Enter a whole number from 1 to 100000',
    'Enter a whole number from 0 to 1440',
    'This must stay on: “Seen” is for contacts who open a message',
  ])
    await said.filter({ hasText: words }).waitFor()
  assert.equal(await said.count(), 6)
  for (const label of ['From', 'Until', 'Maximum messages a day', 'Minimum gap (minutes)'])
    assert.equal(await field(label).getAttribute('aria-invalid'), 'true', label)
  assert.equal(await page.getByText(/schedule_config|start_time|HH:MM|Request /).count(), 0)

  // A problem goes when its field is changed, the others stay.
  await field('Maximum messages a day').fill('50')
  await until(async () => (await said.count()) === 5, 'the number is solved')
  await field('Minimum gap (minutes)').fill('')
  for (const day of days) await page.getByRole('checkbox', { name: day }).check()
  await page.getByRole('switch', { name: /^Count opens/ }).check()
  await field('From').fill('09:00')
  await field('Until').fill('09:00')
  await until(async () => (await said.count()) === 0, 'all are solved')
  await save()
  await said.filter({ hasText: 'Enter another time than in “From”; a whole day is from 00:00 to 24:00' }).waitFor()
  assert.equal(await said.count(), 1)
  await field('From').fill('08:00')
  await until(async () => (await said.count()) === 0, 'another start solves it, too')
  await save()
  await until(async () => {
    const { schedule_config: kept } = await read(page, `/sequences/${id}`)
    return kept.start_time === '08:00' && kept.daily_limit === 50 && kept.min_gap_minutes === null
  }, 'the schedule is saved')
})

test('the step editor is accessible, also on a phone and in the dark', async () => {
  const { id } = await create({
    project_id: project.id,
    steps: [{ type: 'email', subject: 'Hello', body: 'Hello { first_name }', cc: ['grace@example.com'] }],
  })
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  await other.page.goto(`/sequences/${id}?open=steps`)
  await other.page.getByRole('combobox', { name: 'Cc', exact: true }).waitFor()
  await other.page.getByText('has a brace too few').first().waitFor()
  assert.deepEqual(await hindrances(other.page), [])
  await other.context.close()
  assert.deepEqual([...other.troubles, ...web.troubles.filter((one) => !/status of 400/.test(one))], [])
})
