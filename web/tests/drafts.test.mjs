// Unsaved changes of a sequence are never lost silently.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until, write, written } from './support.mjs'

const { page } = await office()

/** Lets the browser leave a page with unsaved changes, which it asks about itself. */
const leave = () => {
  page.removeAllListeners('dialog')
  page.once('dialog', (dialog) => dialog.accept())
}
const question = () => page.getByRole('dialog', { name: 'Discard the changes?' })

const create = (name, body = {}) => write(page, 'POST', '/sequences', { name, ...body })
const statusIs = (id, status) =>
  until(async () => (await read(page, `/sequences/${id}`)).status === status, `it is ${status}`)

const add = async (button, kind) => {
  await page.getByRole('button', { name: button, exact: true }).last().click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
}
const start = () => page.getByRole('button', { name: 'Start', exact: true }).click()
const text = () => page.getByLabel('Text', { exact: true })

test('Start saves unsaved steps first, of a draft and of a paused sequence', async () => {
  const { id } = await create('Calls')
  await page.goto(`/sequences/${id}?open=steps`)
  // The server's error disappears once there is something to start.
  await start()
  await page.getByText('It can’t start yet').waitFor()
  await add('Add the first step', 'Call')
  await text().fill('Ask for Ada')
  await start()
  await statusIs(id, 'active')
  assert.equal((await read(page, `/sequences/${id}`)).steps[0].body, 'Ask for Ada')
  assert.equal(await page.getByText('It can’t start yet').count(), 0)

  await page.getByRole('button', { name: 'Pause' }).click()
  await statusIs(id, 'paused')
  await until(async () => text().isEnabled(), 'the steps can be changed')
  await text().fill('Ask for Grace')
  await start()
  await statusIs(id, 'active')
  assert.equal((await read(page, `/sequences/${id}`)).steps[0].body, 'Ask for Grace')
})

test('nothing starts if the steps can’t be saved', async () => {
  const { id } = await create('Mistyped', { steps: [{ type: 'call', body: 'Ask' }] })
  await page.goto(`/sequences/${id}?open=steps`)
  await text().fill('Ask for {{ first_nme }} and {{ last_nme }}')
  await start()
  await page.getByText('The steps were not saved').waitFor()
  // All problems with the text are shown at the text.
  for (const name of ['first_nme', 'last_nme']) await page.getByText(`there is no ${name} to fill in`).first().waitFor()
  assert.equal(await text().getAttribute('aria-invalid'), 'true')
  const stored = await read(page, `/sequences/${id}`)
  assert.equal(`${stored.status} ${stored.steps[0].body}`, 'draft Ask')
  await text().fill('Ask for {{ first_name }}')
  await start()
  await statusIs(id, 'active')
  assert.equal(await page.getByText('The steps were not saved').count(), 0)
})

test('the schedule is saved by Start, and leaving it asks', async () => {
  const { id } = await create('Paced', { steps: [{ type: 'call', body: 'Ask' }] })
  await page.goto(`/sequences/${id}?open=schedule`)
  const most = page.getByLabel('Maximum messages a day')
  await most.fill('7')
  await start()
  await statusIs(id, 'active')
  assert.equal((await read(page, `/sequences/${id}`)).schedule_config.daily_limit, 7)

  await most.fill('9')
  const results = page.getByRole('tab', { name: 'Results' })
  await results.click()
  await question().waitFor()
  await page.keyboard.press('Escape')
  await question().waitFor({ state: 'detached' })
  assert.equal(await most.inputValue(), '9')
  await until(async () => results.evaluate((tab) => tab === document.activeElement), 'the focus is back')
  await results.click()
  const discard = question().getByRole('button', { name: 'Discard changes' })
  await discard.waitFor()
  await until(
    async () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') && document.activeElement.tagName),
    'a button has the focus',
  )
  assert.equal(await discard.evaluate((button) => button === document.activeElement), false)
  await page.keyboard.press('Tab')
  await until(() => discard.evaluate((button) => button === document.activeElement), 'the other one is next')
  await page.keyboard.press('Enter')
  await most.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Schedule' }).click()
  assert.equal(await most.inputValue(), '7')
})

test('archiving a sequence asks first', async () => {
  const { id } = await create('Old')
  await page.goto(`/sequences/${id}`)
  await page.getByRole('button', { name: 'Archive' }).click()
  const asked = page.getByRole('dialog', { name: 'Archive “Old”?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'detached' })
  assert.equal((await read(page, `/sequences/${id}`)).status, 'draft')
  await page.getByRole('button', { name: 'Archive' }).click()
  await asked.getByRole('button', { name: 'Archive sequence' }).click()
  await statusIs(id, 'archived')
})

test('a text that is too long is kept and marked', async () => {
  const { id } = await create('Long')
  await page.goto(`/sequences/${id}?open=steps`)
  await add('Add the first step', 'Email')
  await text().fill('x'.repeat(20_001))
  assert.equal((await written(text())).length, 20_001)
  await until(async () => (await text().getAttribute('aria-invalid')) === 'true', 'the field says what is wrong')
  await page
    .getByText(/20,?000 characters/)
    .first()
    .waitFor()
  await text().fill('Hello')
  await until(async () => (await text().getAttribute('aria-invalid')) !== 'true', 'it is right now')
})

test('only an email after another one is marked as an answer', async () => {
  const { id } = await create('Mails')
  leave()
  await page.goto(`/sequences/${id}?open=steps`)
  await add('Add the first step', 'Email')
  await page.getByText('the first email needs a subject').waitFor()
  assert.equal(await page.getByText('Leave it empty to answer').count(), 0)
  await page.getByLabel('Subject').fill('Engines')
  await text().fill('{{ first_name | shout }}')
  await add('Add step', 'Email')
  await page.getByText('Leave it empty to answer').waitFor()
  await text().fill('{% if first_name %}Hello')
  // Unknown filters and broken syntax are listed before saving.
  const before = page.getByRole('alert').filter({ hasText: 'Before it can start' })
  await before.getByText(/^Email 1, Text: .*shout/).waitFor()
  await before.getByText(/^Email 2, Text: /).waitFor()
  await before.getByText(/^Email 1, Text: .*shout/).click()
  assert.equal(await text().getAttribute('aria-invalid'), 'true')
})

test('a pause by the server names the step and the solution', async () => {
  const { id } = await create('Too much', {
    steps: [
      { type: 'call', body: 'Ask' },
      { type: 'call', body: 'Ask again' },
    ],
  })
  await write(page, 'POST', `/sequences/${id}/start`, {})
  await write(page, 'POST', `/sequences/${id}/pause`, {})
  await page.route(
    (url) => url.pathname === `/api/v1/sequences/${id}`,
    async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      json.data.paused_reason = 'steps.1.body: makes more than 200000 bytes'
      await route.fulfill({ response, json })
    },
  )
  leave()
  await page.goto(`/sequences/${id}`)
  await page.getByText('Call 2, Text: makes more than 200000 bytes').waitFor()
  await page.getByRole('button', { name: 'Open the step' }).click()
  await until(async () => (await written(text())) === 'Ask again', 'the step is open')
})
