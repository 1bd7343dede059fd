import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browse, OWNER, office, serve, until } from './support.mjs'

const { server, page } = await office()

const read = async (path) => (await (await page.context().request.get(`/dashboard${path}`)).json()).data

/** The next request to this path gets the answer for a session that needs the password again. */
async function graceIsOver(path, where = page) {
  await where.route(
    (url) => url.pathname === path,
    (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'reauthentication_required', message: 'your password again' } }),
      }),
    { times: 1 },
  )
}

const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement
    return element === document.body
      ? 'BODY'
      : element?.getAttribute('aria-label') || element?.textContent || element?.tagName
  })

async function newKey(name) {
  await page.goto('/settings/api')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('combobox', { name: 'Permissions' }).click()
  await page.getByRole('option', { name: 'full access' }).click()
  return dialog
}

test('Escape on a button of the password dialog closes only that dialog, and focus returns', async () => {
  const dialog = await newKey('Nightly')
  await graceIsOver('/dashboard/keys')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const again = page.getByRole('dialog', { name: 'Confirm your password' })
  for (const name of ['Cancel', 'Confirm']) {
    await again.getByRole('button', { name }).focus()
    await page.keyboard.press('Escape')
    await again.waitFor({ state: 'detached' })
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Nightly')
    await until(async () => (await focused()) === 'Create key', 'focus is on the button that was pressed')
    if (name === 'Cancel') {
      await graceIsOver('/dashboard/keys')
      await page.keyboard.press('Enter')
      await again.waitFor()
    }
  }
  // The next Escape is for the form, which asks because something was typed.
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  await until(async () => (await focused()) === 'Keep editing', 'Enter loses nothing')
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Nightly')
  await until(async () => (await focused()) === 'Create key', 'focus is back where it was')
  await page.keyboard.press('Escape')
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await until(async () => (await focused()) === 'Create key', 'focus is back in the form')
  await page.keyboard.press('Escape')
  await until(async () => (await focused()) === 'Keep editing', 'it asks again')
  await page.keyboard.press('Tab')
  await until(async () => (await focused()) === 'Discard', 'the other button is next')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await until(async () => (await focused()) === 'New key', 'focus is back where the form was opened')
})

test('a new key stays on the screen until it is confirmed', async () => {
  const dialog = await newKey('Website form')
  await graceIsOver('/dashboard/keys')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const again = page.getByRole('dialog', { name: 'Confirm your password' })
  await again.locator('input[type=password]').fill(OWNER.password)
  await again.locator('input[type=password]').press('Enter')
  const shown = page.getByRole('dialog', { name: 'Your new key' })
  await shown.waitFor()
  await until(async () => (await focused()) === 'Copy key', 'focus is on the key')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  assert.match(await page.getByTestId('new-key').innerText(), /^relata_/)
  await shown.getByRole('button', { name: 'Done' }).click()
  await shown.waitFor({ state: 'detached' })
  await until(async () => (await focused()) === 'New key', 'focus is back')
})

test('removing a member shows the name and the consequences and needs more than a double click', async () => {
  await page.goto('/settings/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await dialog.getByLabel('Email').fill('bob@example.com')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const notice = page.getByTestId('invitation')
  const link = await notice.innerText()
  const other = await browse(server)
  try {
    await other.page.goto(new URL(link).pathname + new URL(link).hash)
    await other.page.getByLabel('First name').fill('Bob')
    await other.page.getByLabel('Last name').fill('Kahn')
    await other.page.locator('input[type=password]').fill('a long enough teapot')
    await other.page.getByRole('button', { name: 'Join' }).click()
    await other.page.getByRole('heading', { name: /^Hello/ }).waitFor()
  } finally {
    await other.close()
  }
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await notice.waitFor({ state: 'detached' })
  await page.goto('/settings/members')
  const icon = page.getByRole('button', { name: 'Remove Bob Kahn' })
  const box = await icon.boundingBox()
  const asked = page.getByRole('dialog', { name: 'Remove Bob Kahn?' })
  // A double click whose second half falls on the open dialog, as on a slow machine.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await until(async () => (await focused()) === 'Cancel', 'the dialog is open')
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  assert.equal(await focused(), 'Cancel')
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await until(async () => (await focused()) === 'Remove Bob Kahn', 'focus is back after the first question')
  await icon.dblclick()
  await asked.waitFor()
  assert.equal((await read('/members')).length, 2)
  assert.match(await asked.innerText(), /API keys are revoked.*invitations that they made end/s)
  assert.equal(await page.getByText('Really?').count(), 0)
  await until(async () => (await focused()) === 'Cancel', 'the harmless button has the focus')
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await until(async () => (await focused()) === 'Remove Bob Kahn', 'focus is back')
  await icon.click()
  await asked.getByRole('button', { name: 'Remove member' }).click()
  await asked.waitFor({ state: 'detached' })
  await until(async () => (await read('/members')).length === 1, 'the member is removed')
  await until(async () => (await focused()) !== 'BODY', 'the focus is on the page')
})

test('one item has a singular label', async () => {
  server.run('keys', 'create', '--name', 'Small', '--scopes', 'tags:read')
  await page.goto('/settings/api')
  await page.getByText(/1 scope(?!s)/).waitFor()
  await page.goto('/settings/system')
  await page.getByText('Longest wait of a job').waitFor()
  await page.getByText(/Embedded \(SQLite\)|PostgreSQL/).waitFor()
  assert.equal(await page.getByText(/lag ms|seen at/i).count(), 0)
})

test('a lifetime of keys above the limit is refused, not replaced', async () => {
  await page.goto('/settings/workspace')
  const longest = page.getByLabel('Maximum lifetime of API keys in days')
  await longest.fill('99999')
  await longest.blur()
  assert.equal(await longest.inputValue(), '99999')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('3650').waitFor()
  assert.equal((await read('/workspace')).longest_key_days, null)
})

test('a user without a name is asked for it by the first link', async () => {
  server.run('members', 'add', '--email', 'nameless@example.com')
  const link = new URL(server.run('members', 'reset-password', '--email', 'nameless@example.com'))
  assert.equal(link.origin, server.url)
  const other = await browse(server)
  try {
    await other.page.goto(link.pathname + link.hash)
    await other.page.getByLabel('First name').fill('Nell')
    await other.page.getByLabel('Last name').fill('Less')
    await other.page.locator('input[type=password]').fill('short')
    await other.page.getByRole('button', { name: 'Save and sign in' }).click()
    await other.page.getByRole('alert').waitFor()
    assert.equal(await other.page.getByText(/at least 12 characters/).count(), 1)
    await other.page.locator('input[type=password]').fill('a long enough teapot')
    await other.page.getByRole('button', { name: 'Save and sign in' }).click()
    await other.page.getByRole('heading', { name: /^Hello/ }).waitFor()
  } finally {
    await other.close()
  }
  const found = (await read('/members')).find((one) => one.email === 'nameless@example.com')
  assert.equal(`${found.first_name} ${found.last_name}`, 'Nell Less')
})

test('the only workspace says so before anything is typed; the removal of another is confirmed', async () => {
  await page.goto('/settings/workspace')
  await page.getByText('This is the only workspace on this server').waitFor()
  assert.equal(await page.getByLabel('Type its name to be sure').isDisabled(), true)
  server.run('workspace', 'create', '--name', 'Second', '--slug', 'second', '--owner', 'eve@example.com')
  await page.reload()
  const { name } = await read('/workspace')
  await page.getByLabel('Type its name to be sure').fill(name)
  await page.getByRole('button', { name: 'Remove for good' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: `The workspace “${name}” was removed` })
    .waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByText('was removed').count(), 0)
})

test('errors at set-up are shown once, at their fields', async () => {
  const fresh = await serve()
  const other = await browse(fresh)
  try {
    await other.page.goto(fresh.setup)
    await other.page.getByLabel('First name').fill('Nell')
    await other.page.getByLabel('Last name').fill('Less')
    await other.page.getByLabel('Email').fill('nell@example.com')
    await other.page.getByLabel(/^Workspace/).fill('Teapots')
    await other.page.locator('input[type=password]').fill('teapot')
    await other.page.getByRole('button', { name: 'Create workspace' }).click()
    await other.page.getByRole('alert').waitFor()
    assert.equal(await other.page.getByRole('alert').count(), 1)
  } finally {
    await other.close()
    await fresh.stop()
  }
})
