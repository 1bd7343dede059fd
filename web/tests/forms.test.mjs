// Forms: typed text is never lost, and errors are shown at their fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browse, OWNER, office, serve, until } from './support.mjs'

const { server, web, page } = await office()

const read = async (path, where = page) => (await (await where.context().request.get(`/dashboard${path}`)).json()).data

const focusedLabel = (where = page) =>
  where.evaluate(() => {
    const element = document.activeElement
    return element?.labels?.[0]?.textContent.replace(/[\s*]+$/, '') ?? element?.tagName
  })

const question = () => page.getByRole('dialog', { name: 'Close without saving?' })

/** Escape, then a click beside the dialog: both ask, and the answer is no. */
async function staysOpen(dialog) {
  await page.keyboard.press('Escape')
  await question().waitFor()
  await page.keyboard.press('Escape')
  await question().waitFor({ state: 'detached' })
  await page.mouse.click(5, 5)
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await question().waitFor({ state: 'detached' })
  assert.equal(await dialog.isVisible(), true)
}

test('a new key is not lost by Escape, and the form says what is missing', async () => {
  await page.goto('/settings/api')
  await page.getByText('No requests yet').waitFor()
  assert.equal(await page.getByText(/in an hour/).count(), 0)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByText('Choose at least one permission.').waitFor()
  // Nothing was typed yet, so there is no question.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog.getByLabel('Name').fill('Nightly')
  await staysOpen(dialog)
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Nightly')
  await page.keyboard.press('Escape')
  await question().getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a new account is not lost by Escape, and its numbers are explained', async () => {
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a mailbox' })
  await until(async () => (await focusedLabel())?.startsWith('Email address'), 'the first field has the focus')
  for (const words of [/no limit$/, /Between two messages/, /Every further day adds as many/])
    await dialog.getByText(words).waitFor()
  await dialog.getByLabel(/^Name/).fill('Ada')
  await staysOpen(dialog)
  assert.equal(await dialog.getByLabel(/^Name/).inputValue(), 'Ada')
})

test('a key expires at the end of the chosen day in the browser’s time zone', async () => {
  const { page: other, context } = await web.open({ timezoneId: 'America/New_York' })
  await other.goto('/sign-in')
  await other.getByLabel('Email').fill(OWNER.email)
  await other.locator('input[type=password]').fill(OWNER.password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { name: /^Hello/ }).waitFor()
  await other.goto('/settings/api?new=1')
  const year = new Date().getUTCFullYear() + 1
  const dialog = other.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Until June')
  await dialog.getByLabel('Expires').fill(`${year}-06-15`)
  await dialog.getByRole('combobox', { name: 'Permissions' }).click()
  await other.getByRole('option', { name: 'full access' }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await other.getByTestId('new-key').waitFor()
  const made = (await read('/keys', other)).find((one) => one.name === 'Until June')
  assert.equal(Date.parse(made.expires_at), Date.parse(`${year}-06-16T03:59:59Z`))
  await context.close()
})

test('a wrong password is shown at its field', async () => {
  await page.goto('/settings/profile')
  const current = page.getByLabel('Current password', { exact: false }).first()
  const next = page.getByLabel('New password', { exact: false }).first()
  await current.fill('not the password')
  await next.fill('a teapot on the harbour wall')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This is not your password', { exact: true }).waitFor()
  assert.equal(await current.getAttribute('data-invalid'), 'true')
  assert.equal(await page.getByText(/current:/).count(), 0)
  await current.fill(OWNER.password)
  await next.fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await until(async () => (await next.getAttribute('data-invalid')) === 'true', 'the new one is refused')
  assert.equal(await page.getByText(/new:/).count(), 0)
})

test('an invitation shows its expiry, and a second one that it replaces the first', async () => {
  const invite = async (email, meanwhile) => {
    await page.goto('/settings/members?new=1')
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    await dialog.getByText('It is shown once, works once and lasts a week.').waitFor()
    await dialog.getByLabel('Email').fill(email)
    await meanwhile?.(dialog)
    await dialog.getByRole('button', { name: 'Create link' }).click()
  }
  await invite('mia@example.com')
  await page.getByTestId('invitation').waitFor()
  await invite('mia@example.com', (dialog) => dialog.getByText('the older one, which stops working').waitFor())
  const link = new URL(await page.getByTestId('invitation').innerText())
  // An address of an existing member: the error is shown at the address.
  await invite(OWNER.email)
  const email = page.getByRole('dialog').getByLabel('Email')
  await until(async () => (await email.getAttribute('aria-invalid')) === 'true', 'the address is refused')

  const other = await browse(server)
  try {
    await other.page.goto(link.pathname + link.hash)
    await other.page.getByLabel('First name').fill('Mia')
    await other.page.locator('input[type=password]').fill('a long enough teapot')
    await other.page.getByRole('button', { name: 'Join' }).click()
    await other.page.getByRole('heading', { name: /^Hello/ }).waitFor()
  } finally {
    await other.close()
  }
  const mia = (await read('/members')).find((one) => one.email === 'mia@example.com')
  assert.equal(`${mia.first_name}|${mia.last_name ?? ''}`, 'Mia|')

  const reset = new URL(server.run('members', 'reset-password', '--email', 'mia@example.com'))
  const third = await browse(server)
  try {
    await third.page.goto(reset.pathname + reset.hash)
    await third.page.getByRole('button', { name: 'Save and sign in' }).waitFor()
    await until(async () => (await focusedLabel(third.page)) === 'Password', 'the first field has the focus')
  } finally {
    await third.close()
  }
})

test('the first owner needs no last name', async () => {
  const own = await serve()
  const fresh = await browse(own)
  try {
    await fresh.page.goto(own.setup)
    await fresh.page.getByLabel('First name').fill('Olive')
    await fresh.page.getByLabel('Email').fill(OWNER.email)
    await fresh.page.locator('input[type=password]').fill(OWNER.password)
    await fresh.page.getByLabel('Workspace').fill('Example Search')
    await fresh.page.getByRole('button', { name: 'Create workspace' }).click()
    await fresh.page.getByRole('navigation', { name: 'Main' }).waitFor()
  } finally {
    await fresh.close()
    await own.stop()
  }
})
