import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until } from './support.mjs'

const { server, page } = await office()
let sandbox

/** Sets up a provider that the sandbox plays. */
async function addProvider(name, title) {
  const ready = /smtp (\S+)\nimap (\S+)[\s\S]*oauth (\S+)\ncontrol (\S+)[\s\S]*ready/
  sandbox ??= await server.beside(['sandbox'], ready)
  const [, smtp, imap, oauth, control] = sandbox
  const bare = (url) => url.replace('sandbox:sandbox@', '')
  const urls = ['--authorization-url', `${oauth}/authorize`, '--token-url', `${oauth}/token`]
  const mail = ['--userinfo-url', `${oauth}/userinfo`, '--smtp', bare(smtp), '--imap', bare(imap)]
  const client = ['--title', title, '--client-id', 'sandbox', '--client-secret', 'sandbox']
  server.run('oauth', 'add', '--name', name, ...client, ...urls, ...mail)
  return control
}

test('without providers a sentence says how to set them up', async () => {
  await page.goto('/settings/accounts')
  await page.getByText('relata oauth add --name google').waitFor()
})

test('a mailbox is connected by OAuth, its domain checked, and reconnected', async () => {
  const control = await addProvider('acme', 'Acme Mail')
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Connect Acme Mail' }).click()
  await page.getByText('ann@example.com is connected').waitFor()
  const account = async () => (await read(page, '/connected-accounts'))[0]
  assert.equal((await account()).status, 'connected')
  assert.doesNotMatch(page.url(), /code=/)
  await page.getByRole('button', { name: 'Check domain' }).click()
  await page.getByText('One-click unsubscribe', { exact: true }).waitFor()

  // The provider revokes the access.
  await fetch(`${control}/oauth/revoke/ann@example.com`, { method: 'POST' })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await until(async () => (await account()).status === 'error', 'the account is in error')
  await page.getByRole('button', { name: 'Reconnect' }).click()
  // The notice of the first connection may still be in sight, so only the status shows the second one.
  await until(async () => (await account()).status === 'connected', 'the account is connected again')
})

test('the form offers the provider of the address first, and passwords below', async () => {
  await addProvider('google', 'Google')
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a mailbox' })
  const proceed = dialog.getByRole('button', { name: 'Continue with Google' })
  const byPassword = dialog.getByRole('button', { name: 'Use an app password' })
  const outgoing = dialog.getByRole('group', { name: 'Outgoing mail' })
  await until(() => page.evaluate(() => document.activeElement?.type === 'email'), 'the address has the focus')
  await page.keyboard.type('grace@mail.example.org')
  await outgoing.waitFor()
  assert.equal(await proceed.count(), 0)
  // Microsoft is not set up here.
  await dialog.getByLabel('Email address').fill('grace@outlook.com')
  await dialog.getByRole('note').getByText('ask the administrator of this server').waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Continue with/ }).count(), 0)

  await dialog.getByLabel('Email address').fill('grace@gmail.com')
  await proceed.waitFor()
  assert.equal(await dialog.locator('input[type=password]').count(), 0)
  assert.equal(await outgoing.count(), 0)
  await byPassword.click()
  assert.equal(await outgoing.getByLabel('Host').inputValue(), 'smtp.gmail.com')
  await dialog.getByRole('note').getByText('create an app password').waitFor()
  await dialog.getByRole('button', { name: 'Connect and test' }).waitFor()
  const [above, below] = [await proceed.boundingBox(), await outgoing.boundingBox()]
  assert.ok(above.y < below.y)
  await byPassword.click()
  await outgoing.waitFor({ state: 'detached' })

  await dialog.getByLabel(/^Name/).fill('Grace at work')
  await dialog.getByLabel('Email address').press('Enter')
  await page.getByText('grace@gmail.com is connected').waitFor()
  const found = (await read(page, '/connected-accounts')).find((one) => one.address === 'grace@gmail.com')
  assert.deepEqual([found.name, found.status], ['Grace at work', 'connected'])
  assert.equal(found.provider, 'email')
})

test('a refused permission is explained', async () => {
  await page.goto('/oauth/callback?error=access_denied&state=x')
  await page.getByText('The access was not permitted').waitFor()
  await page.goto('/oauth/callback?code=x&state=unknown')
  await page.getByText('is not of this session').waitFor()
})
