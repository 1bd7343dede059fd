// Messages that were not delivered, in words that need no knowledge of mail servers.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hindrances, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
const folder = mkdtempSync(join(tmpdir(), 'relata-failures-'))
const conversations = {}
const contacts = {}

const RULES = `
[[rules]]
match = "gone@example.com"
action = "bounce"
text = "5.1.1 No such user here"

[[rules]]
match = "full@example.com"
action = "bounce"
later = true
after = 0.2
status = "5.2.2"
text = "Mailbox full"
`

const failed = (name) => async () =>
  (await read(page, `/conversations/${conversations[name]}/messages?status=failed`)).length > 0

before(async () => {
  const script = join(folder, 'rules.toml')
  writeFileSync(script, RULES)
  const [, smtp, imap] = await server.beside(['sandbox', '--script', script], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  for (const first_name of ['Gone', 'Full', 'Stop', 'Well']) {
    const email = `${first_name.toLowerCase()}@example.com`
    contacts[first_name] = (await write(page, 'POST', '/contacts', { first_name, last_name: 'Example', email })).id
    const body = { contact_id: contacts[first_name], channel: 'email', subject: `To ${first_name}`, content: 'Hello' }
    conversations[first_name] = (await write(page, 'POST', '/messages', body)).conversation_id
  }
  // The first message to Stop arrives; the address is suppressed before the second one is sent.
  const path = `/conversations/${conversations.Stop}/messages`
  await until(async () => (await read(page, path))[0].status === 'sent', 'the first message is sent')
  const send_at = new Date(Date.now() + 2_000).toISOString()
  await write(page, 'POST', path, { content: 'And another one', send_at })
  await write(page, 'POST', '/suppressions', { address: 'stop@example.com', reason: 'manual' })
  for (const name of ['Gone', 'Full', 'Stop']) await until(failed(name), `the message to ${name} has failed`, 60_000)
  const bounced = `/conversations/${conversations.Full}/messages?direction=inbound`
  await until(async () => (await read(page, bounced)).length === 1, 'the report is there', 60_000)
})

after(() => rmSync(folder, { recursive: true, force: true }))

const row = (name) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: `${name} Example` })
const log = () => page.getByRole('log')
const notes = () => log().getByRole('note', { name: 'Not delivered' })

test('rows whose last message failed say so', async () => {
  await page.goto('/inbox')
  await row('Gone').getByText('Not delivered: The address does not exist').waitFor()
  await row('Full').getByText('Not delivered: The mailbox of the recipient is full').waitFor()
  // The message before was sent.
  await row('Stop').getByText('Not delivered: The address is suppressed').waitFor()
  await row('Well').getByText('→ Hello').waitFor()
  assert.equal(await row('Well').getByText('Not delivered').count(), 0)
})

test('a thread says what happened and what to do; the words of the server are behind Details', async () => {
  await page.goto('/inbox')
  await row('Gone').click()
  await notes().getByText('The address does not exist').waitFor()
  await notes().getByText('Correct it on the contact, then send the message again.').waitFor()
  const words = notes().getByText('No such user here')
  assert.equal(await words.isVisible(), false)
  await notes().getByText('Details').click()
  await words.waitFor()
  const [message] = await read(page, `/conversations/${conversations.Gone}/messages`)
  assert.ok((await notes().innerText()).includes(message.error))
  await notes().getByRole('link', { name: 'Open contact' }).click()
  await page.getByRole('heading', { level: 1, name: 'Gone Example' }).waitFor()
})

test('a report of a mail server is not shown as if the contact had written it', async () => {
  await page.goto(`/inbox?open=${conversations.Full}`)
  // The message that came back, and the report of it.
  await until(async () => (await notes().count()) === 2, 'both say it')
  for (const at of [0, 1]) await notes().nth(at).getByText('The mailbox of the recipient is full').waitFor()
  const report = log().getByRole('article').last()
  await report.getByText('Mail server', { exact: true }).waitFor()
  assert.equal(await report.getByText('Full Example').count(), 0)
  // The reply goes to the contact, not to the mail server.
  const reply = page.getByRole('region', { name: 'Drop files here' })
  await reply.getByText('full@example.com', { exact: true }).waitFor()
  assert.equal(await reply.getByText(/MAILER-DAEMON/i).count(), 0)
  const [stored] = await read(page, `/conversations/${conversations.Full}/messages?direction=inbound`)
  const line = stored.content.split('\n').find((one) => one.trim())
  const shown = report.getByText(line, { exact: false }).first()
  assert.equal(await shown.isVisible(), false)
  await report.getByText('Details').click()
  await shown.waitFor()
})

const SAYINGS = [
  [
    '550 5.1.1 <x@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
    'The address does not exist',
  ],
  ['550-5.1.1 The email account that you tried to reach does not exist.', 'The address does not exist'],
  ['550 5.4.1 Recipient address rejected: Access denied', 'The address does not exist'],
  ['bounced: 5.1.2 Host or domain name not found', 'The domain of the address does not exist'],
  ['552 5.2.2 The email account that you tried to reach is over quota', 'The mailbox of the recipient is full'],
  ['550 5.2.1 The email account that you tried to reach is disabled', 'The mailbox of the recipient was closed'],
  ['552 5.3.4 Message size exceeds fixed limit', 'The message is too large for the recipient’s mail server'],
  ['550 5.7.1 Message rejected as spam', 'The recipient’s mail server took this message for spam'],
  [
    '550 5.7.26 Unauthenticated mail is refused due to the DMARC policy',
    'The recipient’s mail server took this message for spam',
  ],
  ['554 5.7.1 Delivery not authorized', 'The recipient’s mail server does not accept this message'],
  ['bounced: 4.4.7 Delivery time expired', 'The recipient’s mail server could not be reached'],
  ['bounced: something nobody has heard of', 'The message came back'],
  ['something nobody has heard of', 'The message was not sent'],
  ['outcome_unknown: the connection was lost', 'Nobody knows whether this message was sent'],
  ['the account was removed', 'The account was disconnected before this message was sent'],
  ['the contact must not be contacted (do_not_contact)', 'This contact must not be contacted'],
  ['the enrollment is replied', 'The sequence ended for this contact before the message was sent'],
]

test('the sayings of mail servers have a meaning', async () => {
  let error
  await page.route(
    (url) => url.pathname === `/api/v1/conversations/${conversations.Gone}/messages`,
    async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      for (const one of json.data) one.error = error
      await route.fulfill({ response, json })
    },
  )
  for (const [words, meaning] of SAYINGS) {
    error = words
    await page.goto(`/inbox?open=${conversations.Gone}`)
    const note = log().getByRole('note')
    await note.waitFor()
    assert.equal((await note.innerText()).split('\n')[0], meaning, words)
  }
  await page.unrouteAll({ behavior: 'wait' })
  assert.deepEqual(web.troubles, [])
})

test('failures are accessible, in light and dark and on a phone', async () => {
  const { page: other, context } = await web.open({
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  for (const [path, words] of [
    ['/inbox', 'Not delivered: The address does not exist'],
    [`/inbox?open=${conversations.Full}`, 'Mail server'],
  ]) {
    await other.setViewportSize({ width: 1280, height: 800 })
    await other.goto(path)
    await other.getByText(words).first().waitFor()
    assert.deepEqual(await hindrances(other), [], path)
  }
  await context.close()
})

test('the timeline of a contact tells what a failure means, and keeps the words of the mail server', async () => {
  await page.goto(`/contacts/${contacts.Gone}?open=timeline`)
  await page.getByText('The address does not exist').waitFor()
  await page.getByText('What to do: Correct it on the contact, then send the message again.').waitFor()
  await page.getByText(/Details: .*5\.1\.1 No such user here/).waitFor()
})

test('a reply to a suppressed address is refused in words, and To names the address that is used', async () => {
  const field = page.getByLabel('Reply')
  await page.goto(`/inbox?open=${conversations.Stop}`)
  await log().getByText('And another one').waitFor()
  await page.keyboard.press('r')
  await field.fill('Once more')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alert').getByText('The address is suppressed, so nothing is sent there').waitFor()
  assert.equal(await page.getByText('contact_id').count(), 0)
  const emails = [{ email: 'go@example.com', type: 'work' }]
  await write(page, 'PUT', `/contacts/${contacts.Stop}`, { emails })
  await page.getByText('go@example.com', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const path = `/conversations/${conversations.Stop}/messages`
  await until(async () => (await read(page, path)).some((one) => one.address === 'go@example.com'), 'it is sent there')
})
