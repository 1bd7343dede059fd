// Messages that wait for their time: where they are seen, and how they are moved, sent and cancelled.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
let ada
let bea

const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString()
const schedule = (subject, more = {}) =>
  write(page, 'POST', '/messages', {
    contact_id: ada.id,
    channel: 'email',
    subject,
    content: `Text of ${subject}`,
    send_at: inDays(2),
    ...more,
  })
const message = (id) => read(page, `/messages/${id}`)
const waiting = () => read(page, '/messages?status=queued&send_at=is.not_null&sort=send_at')

before(async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  ada = await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' })
  bea = await write(page, 'POST', '/contacts', { first_name: 'Bea', last_name: 'Example', email: 'bea@example.com' })
})

test('the inbox lists all scheduled messages; one is moved, which can be undone', async () => {
  const { id, send_at } = await schedule('Move me', { cc: ['grace@example.com'] })
  await page.goto('/inbox')
  await page.getByText('Scheduled', { exact: true }).click()
  await page.getByRole('button', { name: /Ada Example.*Move me/s }).click()
  const log = page.getByRole('log')
  await log.getByText(/^Scheduled for/).waitFor()
  await log.getByText('Cc grace@example.com').waitFor()
  await log.getByRole('button', { name: 'Change time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change time' })
  await dialog.getByLabel('Date and time').fill('2020-01-01T09:00')
  await dialog.getByText('in the past').waitFor()
  await dialog.getByLabel('Date and time').fill(inDays(4).slice(0, 16))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await until(async () => (await message(id)).send_at > inDays(3), 'it is moved')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await message(id)).send_at === send_at, 'it is moved back')
  // The list is in the address, so it is there again after a reload.
  await page.reload()
  await page.getByRole('button', { name: /Ada Example.*Move me/s }).waitFor()
})

test('a cancelled message has no older offer to move it back', async () => {
  const { id, conversation_id } = await schedule('Move and cancel me', { contact_id: bea.id })
  await page.goto(`/inbox?open=${conversation_id}`)
  const log = page.getByRole('log')
  await log.getByRole('button', { name: 'Change time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change time' })
  await dialog.getByLabel('Date and time').fill(inDays(4).slice(0, 16))
  await page.keyboard.press('Enter')
  const moved = page.getByRole('alert').filter({ hasText: /^Scheduled for .*Undo/ })
  await moved.waitFor()
  await log.getByRole('button', { name: 'Cancel' }).click()
  await until(async () => (await message(id)).error === 'cancelled', 'it is cancelled')
  await moved.waitFor({ state: 'detached' })
  await page.getByRole('alert').filter({ hasText: 'Message cancelled' }).getByRole('button', { name: 'Undo' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1)
})

test('a message is sent now from its thread', async () => {
  const { id, conversation_id } = await schedule('Send me')
  await page.goto(`/inbox?open=${conversation_id}`)
  await page.getByRole('log').getByRole('button', { name: 'Send now' }).click()
  await until(async () => (await message(id)).status === 'sent', 'it is sent')
  await page
    .getByRole('log')
    .getByText(/^Scheduled for/)
    .waitFor({ state: 'detached' })
})

test('a message is cancelled on the page of its contact, and the undo schedules it again', async () => {
  const { id, send_at } = await schedule('Cancel me', { bcc: ['log@example.com'] })
  await page.goto(`/contacts/${ada.id}`)
  const row = page.locator('.row-link').filter({ hasText: /Cancel me.*Scheduled for/ })
  await row.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await until(async () => (await message(id)).error === 'cancelled', 'it is cancelled')
  await row.waitFor({ state: 'detached' })
  await page.getByText('Scheduled message cancelled').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  const again = await until(async () => (await waiting()).find((one) => one.subject === 'Cancel me'), 'it is back')
  assert.deepEqual([again.content, again.send_at, again.bcc], ['Text of Cancel me', send_at, ['log@example.com']])
  await row.waitFor()
  await page.getByRole('tab', { name: 'Messages' }).click()
  await row.waitFor()
  // A cancelled message is not shown as a failure.
  await page.goto(`/inbox?open=${again.conversation_id}`)
  await page.getByRole('log').getByText('Cancelled', { exact: true }).waitFor()
})

test('scheduled messages are accessible, also on a phone and in the dark', async () => {
  const {
    page: other,
    context,
    troubles,
  } = await web.open({
    storageState: await web.context.storageState(),
    bypassCSP: true,
  })
  const [first] = await waiting()
  for (const path of [`/inbox?list=scheduled&open=${first.conversation_id}`, `/contacts/${ada.id}`]) {
    await other.setViewportSize({ width: 1280, height: 800 })
    await other.goto(path)
    await other
      .getByText(/^Scheduled for/)
      .first()
      .waitFor()
    assert.deepEqual(await hindrances(other), [], path)
  }
  await context.close()
  assert.deepEqual(troubles, [])
})
