import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { server, web, page } = await office()

before(async () => {
  const script = join(tmpdir(), `replies-${process.pid}.toml`)
  writeFileSync(
    script,
    'sent_copies = false\n[[rules]]\nmatch = "*@lost.example.com"\naction = "disconnect"\nat = "answer"\ntimes = 1\n[[rules]]\nmatch = "*@example.com"\naction = "reply"\nafter = 0.5\ntext = "Sounds good, call me on Tuesday."\n',
  )
  const [, smtp, imap] = await server.beside(['sandbox', '--script', script], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  server.run(
    'accounts',
    'add',
    '--provider',
    'email',
    '--name',
    'Olive Owner',
    '--address',
    'olive@mail.example.org',
    '--smtp',
    smtp,
    '--imap',
    imap,
  )
  await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' })
})

const add = async (button, kind) => {
  await page.getByRole('button', { name: button, exact: true }).last().click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
}

test('a branched sequence is built, started, and its reply arrives in the inbox', async () => {
  await page.goto('/sequences?new=1')
  await page.getByRole('dialog').getByLabel('Name').fill('First contact')
  await page.getByRole('combobox', { name: 'Shape' }).click()
  await page.getByRole('option', { name: 'With branches' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('There is no step yet').waitFor()

  await add('Add the first step', 'Email')
  await page.getByText('the first email needs a subject').waitFor()
  await page.getByLabel('Subject').fill('Engines, {{ first_name }}')
  await page.getByLabel('Text').fill('Dear {{ first_name }}, may we talk about {{ title }}?')
  await page.getByRole('combobox', { name: 'Preview as' }).click()
  await page.getByRole('option', { name: /Ada/ }).click()
  // The text that the server would send, and the missing value at its field.
  await page.getByText(/^No value for title, and no fallback/).waitFor()
  assert.equal(await page.getByLabel('Text').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Text').fill('Dear {{ first_name }}, {% if title %}no{% else %}may we talk?{% endif %}')
  const preview = page.getByTestId('preview')
  await preview.getByText('Engines, Ada').waitFor()
  await preview.getByText('Dear Ada, may we talk?').waitFor()
  await page.getByText(/^Enrolled now, they get it .* \(UTC\) from Olive Owner\.$/).waitFor()
  await page.getByLabel('Text').fill('Dear {{ first_name }}, may we talk?')

  await add('Add branch', 'Email')
  await page.getByLabel('Text').fill('May I ask again, {{ first_nme }}?')
  await page.getByText('“first_nme” is not a variable').waitFor()
  await page.getByRole('button', { name: 'Save steps' }).click()
  await page.getByText('The steps were not saved').waitFor()
  await page.getByLabel('Text').fill('May I ask again, {{ first_name }}?')
  await page.getByRole('button', { name: 'Save steps' }).click()
  await page.getByText('Steps saved').waitFor()

  const [sequence] = await read(page, '/sequences')
  const { steps } = await read(page, `/sequences/${sequence.id}`)
  assert.equal(steps.length, 2)
  assert.equal(steps[1].parent_step_id, steps[0].id)
  assert.equal(steps[1].branch_condition.type, 'not_replied')

  await page.getByRole('tab', { name: 'Schedule' }).click()
  for (const day of ['Sat', 'Sun']) await page.getByRole('checkbox', { name: day }).check()
  await page.getByLabel('From').fill('00:00')
  await page.getByLabel('Until').fill('24:00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(
    async () => (await read(page, `/sequences/${sequence.id}`)).schedule_config.end_time === '24:00',
    'the schedule is kept',
  )

  await page.getByRole('button', { name: 'Start' }).click()
  await until(async () => (await read(page, `/sequences/${sequence.id}`)).status === 'active', 'it runs')
  await page.getByRole('tab', { name: 'Enrollments' }).click()
  await page.getByRole('combobox', { name: 'Contact' }).click()
  await page.getByRole('option', { name: /Ada/ }).click()
  await page.getByRole('button', { name: 'Enroll' }).click()
  await page.getByRole('button', { name: 'Why?' }).click()
  await page
    .getByRole('dialog')
    .getByText(/The next step|Nothing/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')

  await page.goto('/inbox')
  await page.getByRole('button', { name: /Ada Example/ }).click()
  await page.getByRole('log').getByText('Sounds good, call me on Tuesday.').waitFor({ timeout: 30_000 })
  await until(
    async () => (await read(page, `/sequences/${sequence.id}/enrollments`))[0].status === 'replied',
    'the reply ended it',
  )
  await until(async () => (await read(page, '/conversations'))[0].unread_count === 0, 'it is read')

  await page.getByLabel('Reply').fill('Tuesday it is.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await until(async () => {
    const [conversation] = await read(page, '/conversations')
    return (await read(page, `/conversations/${conversation.id}/messages`)).some(
      (one) => one.content.includes('Tuesday it is.') && one.status === 'sent',
    )
  }, 'the answer is sent')
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400/.test(one)),
    [],
  )
})

test('unknown outcomes are resolved together', async () => {
  const schedule = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start_time: '00:00', end_time: '24:00' }
  const steps = [{ type: 'email', subject: 'Hello', body: 'Hello.' }]
  const { id } = await write(page, 'POST', '/sequences', {
    name: 'Lost',
    mode: 'simple',
    schedule_config: schedule,
    steps,
  })
  await write(page, 'POST', `/sequences/${id}/start`, {})
  const people = []
  for (const name of ['Bob', 'Eve']) {
    const email = `${name.toLowerCase()}@lost.example.com`
    people.push((await write(page, 'POST', '/contacts', { first_name: name, email })).id)
  }
  await write(page, 'POST', `/sequences/${id}/enroll`, { contact_ids: people })
  const enrollments = () => read(page, `/sequences/${id}/enrollments`)
  await until(
    async () => (await enrollments()).every((one) => one.reason === 'outcome_unknown'),
    'nobody knows whether they were sent',
  )
  await page.goto('/settings/accounts')
  await page.getByText('Nobody knows whether 2 messages were sent').waitFor()
  await page.goto(`/sequences/${id}`)
  await page.getByRole('tab', { name: 'Enrollments' }).click()
  const button = page.getByRole('button', { name: 'Resolve unknown outcomes' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Were 2 messages sent?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok((await enrollments()).every((one) => one.status === 'paused'))
  await button.click()
  await dialog.getByRole('button', { name: 'They were sent', exact: true }).click()
  await page.getByText('Resolved 2 messages').waitFor()
  await until(async () => (await enrollments()).every((one) => one.status === 'finished'), 'they went on')
  await button.waitFor({ state: 'detached' })
})
