// A team shares an inbox: assignment, snoozes, unread messages of each member, and the search.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hindrances, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
const folder = mkdtempSync(join(tmpdir(), 'relata-shared-'))
const PEOPLE = [
  ['Ada', 'The invoice', 'Please pay the zanzibar invoice.'],
  ['Ben', 'Lunch', 'Shall we meet for lunch?'],
  ['Cleo', 'A question', 'When do you open?'],
]
let conversations
let bea

before(async () => {
  const script = join(folder, 'replies.toml')
  const rule = ([name, , text]) =>
    `[[rules]]\nmatch = "${name.toLowerCase()}@example.com"\naction = "reply"\nafter = 0.2\ntext = "${text}"\n`
  writeFileSync(script, PEOPLE.map(rule).join(''))
  const [, smtp, imap] = await server.beside(['sandbox', '--script', script], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const account = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...account, '--smtp', smtp, '--imap', imap)
  server.run('members', 'add', '--email', 'bea@example.com', '--name', 'Bea Example', '--role', 'member')
  bea = (await read(page, '/workspace/members')).find((one) => one.email === 'bea@example.com').user_id
  conversations = {}
  for (const [first_name, subject] of PEOPLE) {
    const email = `${first_name.toLowerCase()}@example.com`
    const { id } = await write(page, 'POST', '/contacts', { first_name, last_name: 'Example', email })
    const body = { contact_id: id, channel: 'email', subject, content: 'Hello' }
    conversations[first_name] = (await write(page, 'POST', '/messages', body)).conversation_id
  }
  await until(
    async () => (await read(page, '/conversations?unread_count=gt.0')).length === 3,
    'all replies are there',
    60_000,
  )
})

after(() => rmSync(folder, { recursive: true, force: true }))

const record = (name) => read(page, `/conversations/${conversations[name]}`)
const row = (name) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: `${name} Example` })
const log = () => page.getByRole('log')
const list = (name) => page.getByText(name, { exact: true }).click()
const open = async (name) => {
  await row(name).click()
  await log().waitFor()
  await page
    .getByRole('region', { name: 'Messages' })
    .getByRole('link', { name: `${name} Example` })
    .waitFor()
}

test('a conversation is assigned by the menu and by A, and the lists follow', async () => {
  await page.goto('/inbox')
  await open('Ada')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('option', { name: /Bea Example/ }).click()
  await until(async () => (await record('Ada')).assigned_to === bea, 'it is assigned to Bea')
  await page.getByText('Assigned to Bea Example').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await record('Ada')).assigned_to === null, 'it is undone')

  // By keyboard alone.
  await page.getByRole('button', { name: 'Assign', exact: true }).waitFor()
  await log().focus()
  await page.keyboard.press('a')
  await page.getByLabel('Search: Assign').waitFor()
  await page.keyboard.type('olive')
  await page.keyboard.press('Enter')
  const me = (await read(page, '/workspace/members')).find((one) => one.first_name === 'Olive').user_id
  await until(async () => (await record('Ada')).assigned_to === me, 'it is assigned to Olive')
  await list('Mine')
  await row('Ada').waitFor()
  await until(async () => (await row('Ben').count()) === 0, 'others are not mine')
  await list('Unassigned')
  await row('Ben').waitFor()
  await until(async () => (await row('Ada').count()) === 0, 'it is not unassigned')
  // The list is in the address.
  await page.reload()
  await row('Ben').waitFor()
  assert.equal(await row('Ada').count(), 0)
})

test('H snoozes, Z undoes it, and a conversation comes back by itself', async () => {
  await page.goto('/inbox')
  await open('Ben')
  await log().focus()
  await page.keyboard.press('h')
  await page.getByRole('menuitem', { name: /Tomorrow/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: /Tomorrow/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await page.getByRole('menuitem', { name: /Tomorrow/ }).click()
  const { snoozed_until } = await until(async () => {
    const found = await record('Ben')
    return found.snoozed_until && found
  }, 'it is snoozed')
  assert.equal(new Date(snoozed_until).getHours(), 9)
  await until(async () => (await row('Ben').count()) === 0, 'it is out of the inbox')
  await page.getByText(/^Snoozed until/).waitFor()
  await page.keyboard.press('z')
  await until(async () => (await record('Ben')).snoozed_until === null, 'it is undone')
  await row('Ben').waitFor()

  // A date, with the server's refusal at the field.
  await open('Ben')
  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Date and time…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snooze' })
  const inYears = new Date(Date.now() + 3 * 365 * 86_400_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Date and time').fill(inYears)
  await page.keyboard.press('Enter')
  await dialog.getByText('is more than a year ahead').waitFor()
  const inDays = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Date and time').fill(inDays)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await list('Snoozed')
  await row('Ben').getByText(/Until/).waitFor()

  // The list shows without a reload that the time has come.
  await list('All')
  await row('Cleo').waitFor()
  assert.equal(await row('Ben').count(), 0)
  const soon = new Date(Date.now() + 2000).toISOString()
  await write(page, 'PATCH', `/conversations/${conversations.Ben}`, { snoozed_until: soon })
  const first = page.getByRole('navigation', { name: 'Conversations' }).getByRole('button').first()
  await until(async () => /Ben Example/.test(await first.innerText()), 'it is back at the top', 30_000)
})

test('U marks a conversation as unread, for this member alone', async () => {
  const key = server
    .run('keys', 'create', '--name', 'Bea', '--bundle', 'full_access', '--owner', 'bea@example.com')
    .match(/relata_\w+/)?.[0]
  const ofBea = async () => {
    const answer = await fetch(`${server.url}/api/v1/conversations/${conversations.Cleo}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return (await answer.json()).data.unread_count
  }
  await page.goto('/inbox')
  await open('Cleo')
  await until(async () => (await record('Cleo')).unread_count === 0, 'it is read')
  assert.equal(await ofBea(), 1)
  await log().focus()
  await page.keyboard.press('u')
  await until(async () => (await record('Cleo')).unread_count === 1, 'it is unread')
  await page.getByText('Choose a conversation').waitFor()
  await list('Unread')
  await row('Cleo').waitFor()
  assert.equal(await ofBea(), 1)
  await open('Cleo')
  await page.getByRole('button', { name: 'Mark unread' }).click()
  await page.getByText('Choose a conversation').waitFor()
  await until(async () => (await record('Cleo')).unread_count === 1, 'it is unread again')
})

test('a search finds messages, also in archived conversations', async () => {
  await write(page, 'PATCH', `/conversations/${conversations.Ada}`, { status: 'archived' })
  await page.goto('/inbox')
  await row('Ben').waitFor()
  await page.getByLabel('Search messages').fill('zanzibar')
  await row('Ada').waitFor()
  await until(async () => (await row('Ben').count()) === 0, 'others do not match')
  await page.reload()
  await row('Ada').waitFor()
  assert.equal(await page.getByLabel('Search messages').inputValue(), 'zanzibar')
  await page.getByLabel('Search messages').fill('nonesuch')
  await page.getByText('No conversations match').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await row('Ben').waitFor()
  await until(async () => (await row('Ada').count()) === 0, 'archived ones are not in the inbox')
})

test('it works on a phone, in dark, and for everybody', async () => {
  await write(page, 'PATCH', `/conversations/${conversations.Cleo}`, { assigned_to: bea })
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  for (const path of ['/inbox', `/inbox?open=${conversations.Cleo}`, '/inbox?list=snoozed', '/inbox?search=nonesuch']) {
    await other.page.setViewportSize({ width: 1280, height: 800 })
    await other.page.goto(path)
    await other.page
      .getByRole('navigation', { name: 'Conversations' })
      .getByText(/Example|No conversation/)
      .first()
      .waitFor()
    assert.deepEqual(await hindrances(other.page), [], path)
  }
  await other.page.setViewportSize({ width: 390, height: 800 })
  await other.page.goto(`/inbox?open=${conversations.Ben}`)
  await other.page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await other.page.getByRole('menuitem', { name: /Tomorrow/ }).click()
  await until(async () => (await record('Ben')).snoozed_until !== null, 'it is snoozed')
  await other.page.goto('/inbox?list=snoozed')
  await other.page.getByRole('button', { name: /Ben Example.*Until/s }).click()
  await other.page.getByRole('button', { name: /^Until/ }).click()
  await other.page.getByRole('menuitem', { name: 'End snooze' }).click()
  await until(async () => (await record('Ben')).snoozed_until === null, 'the snooze has ended')
  await other.context.close()
  // The refused date is the only request that failed.
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400/.test(one)),
    [],
  )
})
