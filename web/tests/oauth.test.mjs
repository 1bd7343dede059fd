import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until } from './support.mjs'

const { server, page } = await office()

test('without providers a sentence says how to set them up', async () => {
  await page.goto('/settings/accounts')
  await page.getByText('relata oauth add --name google').waitFor()
})

test('a mailbox is connected by OAuth, its domain checked, and reconnected', async () => {
  const ready = /smtp (\S+)\nimap (\S+)[\s\S]*oauth (\S+)\ncontrol (\S+)[\s\S]*ready/
  const [, smtp, imap, oauth, control] = await server.beside(['sandbox'], ready)
  const bare = (url) => url.replace('sandbox:sandbox@', '')
  const urls = ['--authorization-url', `${oauth}/authorize`, '--token-url', `${oauth}/token`]
  const mail = ['--userinfo-url', `${oauth}/userinfo`, '--smtp', bare(smtp), '--imap', bare(imap)]
  const client = ['--title', 'Acme Mail', '--client-id', 'sandbox', '--client-secret', 'sandbox']
  server.run('oauth', 'add', '--name', 'acme', ...client, ...urls, ...mail)
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

test('a refused permission is explained', async () => {
  await page.goto('/oauth/callback?error=access_denied&state=x')
  await page.getByText('The access was not permitted').waitFor()
  await page.goto('/oauth/callback?code=x&state=unknown')
  await page.getByText('is not of this session').waitFor()
})
