import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { barriers, browse, hindrances, OWNER, serve, setUp, until, write } from './support.mjs'

let server
let web
let page

before(async () => {
  server = await serve()
  web = await browse(server)
  page = web.page
})

after(async () => {
  await web?.close()
  await server?.stop()
})

const password = (where = page) => where.locator('input[type=password]')

async function signIn(where, email, secret) {
  await where.goto('/sign-in')
  await where.getByLabel('Email').fill(email)
  await password(where).fill(secret)
  await where.getByRole('button', { name: 'Sign in' }).click()
}

test('from the first start to the first key to the first call', async () => {
  const { page: first, context } = await web.open({ bypassCSP: true })
  await first.goto(server.setup)
  await first.getByLabel('First name').waitFor()
  assert.deepEqual(await hindrances(first), [])
  await context.close()
  await setUp(server, page)
  // An empty workspace shows where to begin.
  await page.getByRole('region', { name: 'Getting started' }).getByRole('link', { name: 'Create an API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Website form')
  await dialog.getByRole('combobox', { name: 'Permissions' }).click()
  await page.getByRole('option', { name: 'full access' }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await page.getByTestId('new-key').innerText()
  assert.match(key, /^relata_[0-9A-Za-z]{36}$/)
  const answer = await fetch(`${server.url}/api/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Ada' }),
  })
  assert.equal(answer.status, 201)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.goto('/contacts')
  await page.getByRole('gridcell', { name: 'Ada' }).waitFor()

  await page.goto('/settings/requests')
  await page.getByRole('combobox', { name: 'Method' }).click()
  await page.getByRole('option', { name: 'POST' }).click()
  await page
    .getByRole('button', { name: /201 POST \/api\/v1\/contacts/ })
    .first()
    .click()
  await page.getByRole('dialog').getByText(answer.headers.get('x-request-id')).waitFor()

  await page.goto('/settings/api')
  await page.getByRole('button', { name: 'Revoke Website form' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await until(
    async () =>
      (await fetch(`${server.url}/api/v1/contacts`, { headers: { authorization: `Bearer ${key}` } })).status === 401,
    'the key is refused',
  )
  assert.deepEqual(web.troubles, [])
})

test('the set-up link works once', async () => {
  const { page: other, context } = await web.open()
  await other.goto(server.setup)
  await other.getByText('This link does not work').waitFor()
  await context.close()
})

test('a wrong password shows an error, and the right one opens the requested page', async () => {
  const { page: other, context } = await web.open({ bypassCSP: true })
  await other.goto('/companies')
  await other.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.deepEqual(await barriers(other), [])
  await other.getByLabel('Email').fill(OWNER.email)
  await password(other).fill('not the password')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('alert').waitFor()
  await password(other).fill(OWNER.password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { name: 'Companies' }).waitFor()
  await context.close()
})

test('a session that ends elsewhere leads to the sign-in page, and back', async () => {
  const { page: other, context } = await web.open()
  await signIn(other, OWNER.email, OWNER.password)
  await other.getByRole('heading', { name: 'Hello Olive' }).waitFor()
  await page.goto('/settings/profile')
  const out = page.getByRole('button', { name: 'Sign out' })
  await out.first().waitFor()
  for (let left = await out.count(); left > 0; left--) {
    await out.first().click()
    await until(async () => (await out.count()) === left - 1, 'one fewer')
  }
  await other.goto('/tasks')
  await other.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(other.url()).searchParams.get('next'), '/tasks')
  await context.close()
})

test('an invited member works with records and sees no settings of others', async () => {
  await page.goto('/settings/members?new=1')
  await page.getByRole('dialog').getByLabel('Email').fill('mia@example.com')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByTestId('invitation').innerText()
  const { page: other, context } = await web.open({ bypassCSP: true })
  await other.goto(link)
  await other.getByLabel('First name').waitFor()
  assert.deepEqual(await hindrances(other), [])
  await other.getByLabel('First name').fill('Mia')
  await other.getByLabel('Last name').fill('Member')
  await password(other).fill('violet ladder canyon')
  await other.getByRole('button', { name: 'Join' }).click()
  await other.getByRole('heading', { name: 'Hello Mia' }).waitFor()
  await other.goto('/settings/members')
  await other.getByText('No access').waitFor()
  assert.equal(await other.getByRole('link', { name: 'Pipelines' }).count(), 0)
  const refused = await context.request.get('/dashboard/members')
  assert.equal(refused.status(), 403)
  await write(other, 'POST', '/contacts', { first_name: 'Grace' })
  await context.close()
})
