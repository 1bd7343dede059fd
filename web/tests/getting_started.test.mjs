// The first steps in a workspace, on Today.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hindrances, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()

const card = (where = page) => where.getByRole('region', { name: 'Getting started' })
const steps = async (where) => {
  await card(where).waitFor()
  return (await card(where).getByRole('link').allInnerTexts()).map((one) => one.replace(/\s+/g, ' ').trim())
}

test('the list stays after the first contact, and says which steps are done', async () => {
  await page.goto('/')
  assert.deepEqual(await steps(), [
    'Import contacts or companies',
    'Connect a mailbox',
    'Invite a member',
    'Create an API key',
  ])
  await page.goto('/contacts?new=1')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Ada')
  await page.keyboard.press('Enter')
  await until(async () => (await read(page, '/contacts')).length === 1, 'the contact is there')
  await page.goto('/')
  assert.deepEqual(await steps(), [
    'Import contacts or companies Done',
    'Connect a mailbox',
    'Invite a member',
    'Create an API key',
  ])
  const { context, page: other } = await web.open({
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  await other.goto('/')
  await card(other).waitFor()
  assert.deepEqual(await hindrances(other), [])
  await context.close()
})

test('a member hides it, which is undone, and it stays hidden', async () => {
  await page.goto('/')
  await card().getByRole('button', { name: 'Hide' }).click()
  await card().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await card().waitFor()
  await card().getByRole('button', { name: 'Hide' }).click()
  await card().waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'My tasks' }).waitFor()
  await page.getByText('Nothing is due today.').waitFor()
  assert.equal(await card().count(), 0)
})

test('it goes when everything is done', async () => {
  await page.evaluate(() => localStorage.clear())
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  await write(page, 'POST', '/dashboard/invitations', { email: 'bea@example.com', role: 'member' })
  await page.goto('/')
  await card().getByText('Create an API key').waitFor()
  assert.deepEqual(await steps(), [
    'Import contacts or companies Done',
    'Connect a mailbox Done',
    'Invite a member Done',
    'Create an API key',
  ])
  await card().getByRole('link', { name: 'Create an API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Website form')
  await dialog.getByRole('combobox', { name: 'Permissions' }).click()
  await page.getByRole('option', { name: 'full access' }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByTestId('new-key').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).click()
  await page.getByText('Nothing is due today.').waitFor()
  await card().waitFor({ state: 'detached' })
  assert.deepEqual(web.troubles, [])
})
