// Notices leave the buttons of replies and messages free.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { server, page } = await office()
let ada
let conversation

before(async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  ada = await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' })
  const body = { contact_id: ada.id, channel: 'email', subject: 'A question', content: 'Hello' }
  conversation = (await write(page, 'POST', '/messages', body)).conversation_id
})

const LINES = Array.from({ length: 14 }, (_, line) => `Line ${line + 1}`)
const notice = () => page.locator('.mantine-Notification-root')

/** The buttons that are covered by something else, once the notices have stopped moving. */
async function covered(inside) {
  await page.waitForTimeout(400)
  const found = []
  for (const button of await inside.getByRole('button').all()) {
    if (!(await button.isVisible())) continue
    await button.scrollIntoViewIfNeeded()
    const name = await button.evaluate((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      const places = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(x + width * part, y + height / 2))
      return places.every((place) => one.contains(place)) ? null : (one.ariaLabel ?? one.innerText)
    })
    if (name !== null) found.push(name)
  }
  return found
}

for (const [width, height] of [
  [1280, 800],
  [1024, 640],
  [800, 700],
  [360, 740],
]) {
  test(`the buttons of a reply are free at ${width} × ${height}`, async () => {
    await page.setViewportSize({ width, height })
    await page.goto(`/inbox?open=${conversation}`)
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill(LINES.join('\n'))
    const { assigned_to } = await read(page, `/conversations/${conversation}`)
    // Two notices, one with an offer to undo.
    await page.getByRole('button', { name: assigned_to ? 'Olive Owner' : 'Assign', exact: true }).click()
    await page.getByRole('option', { name: assigned_to ? 'Nobody' : /Olive Owner/ }).click()
    await notice().getByText('Assigned to').waitFor()
    await notice().getByRole('button', { name: 'Undo' }).click()
    await notice().getByText('Undone').waitFor()
    await page.getByRole('button', { name: assigned_to ? 'Olive Owner' : 'Assign', exact: true }).click()
    await page.getByRole('option', { name: assigned_to ? 'Nobody' : /Olive Owner/ }).click()
    await until(async () => (await notice().count()) >= 2, 'there are two notices')
    const reply = page.getByRole('region', { name: 'Messages' }).locator('[class*=reply]')
    await reply.getByRole('button', { name: 'Send', exact: true }).waitFor()
    assert.deepEqual(await covered(reply), [])
  })

  test(`the buttons of a message are free at ${width} × ${height}`, async () => {
    await page.setViewportSize({ width, height })
    await page.goto(`/contacts/${ada.id}`)
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Message to Ada Example' })
    await dialog.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Not this')
    await dialog.getByRole('button', { name: 'Discard draft' }).click()
    await notice().getByText('Draft discarded').waitFor()
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Message' }).fill(LINES.join('\n'))
    assert.equal(await notice().count(), 1)
    assert.deepEqual(await covered(dialog), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
    await until(async () => (await read(page, '/message-drafts')).every((one) => one.conversation_id), 'it is gone')
  })
}
