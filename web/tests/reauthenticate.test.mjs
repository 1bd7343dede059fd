import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barriers, browse, OWNER, office, until } from './support.mjs'

const { server, page } = await office()

const keys = async (where) => (await (await where.context().request.get('/dashboard/keys')).json()).data

/**
 * The next request to this path gets the answer for a session that needs the password again, without ten minutes of
 * waiting.
 */
async function graceIsOver(where, path) {
  await where.route(
    (url) => url.pathname === path,
    (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({
          error: { code: 'reauthentication_required', message: 'this needs your password again' },
        }),
      }),
    { times: 1 },
  )
}

async function fillKey(where, name) {
  await where.goto('/settings/api?new=1')
  const dialog = where.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('combobox', { name: 'Permissions' }).click()
  await where.getByRole('option', { name: 'full access' }).click()
  return dialog
}

const confirm = (where) => where.getByRole('dialog', { name: 'Confirm your password' })

test('a new key asks for the password, and the form keeps its values', async () => {
  const dialog = await fillKey(page, 'Nightly export')
  await graceIsOver(page, '/dashboard/keys')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const again = confirm(page)
  await again.locator('input[type=password]').fill('not the password')
  await again.getByRole('button', { name: 'Confirm' }).click()
  await again.getByRole('alert').waitFor()
  assert.equal((await keys(page)).length, 0)
  await again.locator('input[type=password]').fill(OWNER.password)
  await again.getByRole('button', { name: 'Confirm' }).click()
  assert.match(await page.getByTestId('new-key').innerText(), /^relata_/)
  assert.deepEqual(
    (await keys(page)).map((one) => one.name),
    ['Nightly export'],
  )
})

test('cancelling changes nothing and keeps the form', async () => {
  const dialog = await fillKey(page, 'Second thoughts')
  await graceIsOver(page, '/dashboard/keys')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await confirm(page).getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await dialog.getByRole('alert').innerText(), 'Not done: your password was not confirmed.')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Second thoughts')
  // So does the key that closes a dialog: it closes the upper one.
  await graceIsOver(page, '/dashboard/keys')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await confirm(page).locator('input[type=password]').press('Escape')
  await confirm(page).waitFor({ state: 'detached' })
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Second thoughts')
  assert.equal((await keys(page)).length, 1)
})

test('the dialog is accessible', async () => {
  const own = await browse(server, { bypassCSP: true })
  try {
    const { page: other } = own
    await other.goto('/sign-in')
    await other.getByLabel('Email').fill(OWNER.email)
    await other.locator('input[type=password]').fill(OWNER.password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { name: /^Hello/ }).waitFor()
    const dialog = await fillKey(other, 'Barriers')
    await graceIsOver(other, '/dashboard/keys')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await confirm(other).waitFor()
    assert.deepEqual(await barriers(other), [])
  } finally {
    await own.close()
  }
})

test('keys have a maximum lifetime, and the form shows it', async () => {
  await page.goto('/settings/workspace')
  await page.getByLabel('Maximum lifetime of API keys in days').fill('90')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const stored = async () => (await (await page.context().request.get('/dashboard/workspace')).json()).data
  await until(async () => (await stored()).longest_key_days === 90, 'the limit is saved')
  const dialog = await fillKey(page, 'Short-lived')
  await dialog.getByText('At most 90 days').waitFor()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByTestId('new-key').waitFor()
  const [made] = await keys(page)
  assert.equal(made.name, 'Short-lived')
  assert.ok(Date.parse(made.expires_at) <= Date.now() + 90 * 86_400_000)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Exceeds the maximum lifetime').waitFor()
})
