// The keys of the screens, and the list of them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
const conversations = {}

before(async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  for (const first_name of ['Ada', 'Ben']) {
    const email = `${first_name.toLowerCase()}@example.com`
    const { id } = await write(page, 'POST', '/contacts', { first_name, last_name: 'Example', email })
    const body = { contact_id: id, channel: 'email', subject: `To ${first_name}`, content: 'Hello' }
    conversations[first_name] = (await write(page, 'POST', '/messages', body)).conversation_id
  }
})

const dialog = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const status = async (name) => (await read(page, `/conversations/${conversations[name]}`)).status

test('? opens the list of all keys, on Today and in the inbox, and Escape closes it', async () => {
  for (const path of ['/', '/inbox', `/inbox?open=${conversations.Ada}`]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await dialog().getByRole('table', { name: 'Everywhere' }).waitFor()
    const inbox = await dialog().getByRole('table', { name: 'Inbox' }).getByRole('rowheader').allInnerTexts()
    assert.deepEqual(inbox, ['J', 'K', 'R', 'E', 'A', 'H', 'U', 'Z'])
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  }
})

test('the list is a click away, and its keys do nothing below it', async () => {
  await page.goto(`/inbox?open=${conversations.Ada}`)
  await page.getByRole('log').getByText('Hello').waitFor()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await dialog().waitFor()
  // The conversation below is not archived.
  await page.keyboard.press('e')
  await dialog().getByRole('button', { name: 'Close' }).click()
  await dialog().waitFor({ state: 'detached' })
  assert.equal(await status('Ada'), 'open')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await dialog().waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('keys work after a click on a list, and not while a text is typed', async () => {
  await page.goto('/inbox')
  await page.getByText('Unassigned', { exact: true }).click()
  await page.getByRole('button', { name: /Ben Example/ }).waitFor()
  await page.keyboard.press('?')
  await dialog().waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await page.getByText('Unassigned', { exact: true }).click()
  await page.keyboard.press('j')
  const log = page.getByRole('log')
  await log.waitFor()
  const [open] = Object.keys(conversations).filter((name) => page.url().includes(conversations[name]))
  await page.keyboard.press('e')
  await until(async () => (await status(open)) === 'archived', 'it is archived')

  await page.getByRole('textbox', { name: 'Reply' }).click()
  await page.keyboard.type('Eh? Really')
  const other = open === 'Ada' ? 'Ben' : 'Ada'
  assert.equal(await status(other), 'open')
  assert.equal(await dialog().count(), 0)
  await page.getByRole('textbox', { name: 'Reply' }).getByText('Eh? Really').waitFor()
  assert.deepEqual(web.troubles, [])
})

test('the list is accessible, in light and dark and on a phone', async () => {
  const { page: other, context } = await web.open({
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  await other.goto('/')
  await other.getByRole('heading', { level: 1 }).waitFor()
  await other.keyboard.press('?')
  await other.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(await hindrances(other), [])
  await context.close()
})
