import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { web, page } = await office()

const cell = (row, key) => page.getByRole('row').filter({ hasText: row }).locator(`[data-key="${key}"]`)
const choose = (name) => page.getByRole('row').filter({ hasText: name }).getByLabel('Select')
const bar = () => page.getByRole('region', { name: 'Selection' })

let project
const entries = () => read(page, `/projects/${project.id}/entries`)
const entryOf = async (name) => (await entries()).find((one) => one.contact.first_name === name)
const stageOf = async (name) => (await entryOf(name)).stage.name

test('many candidates are moved at once, and the move is undone', async () => {
  project = await write(page, 'POST', '/projects', { name: 'Head of Engines' })
  for (const first_name of ['Ada', 'Grace', 'Linus', 'Edsger']) {
    const contact = await write(page, 'POST', '/contacts', { first_name })
    await write(page, 'POST', `/projects/${project.id}/entries`, { contact_id: contact.id })
  }
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('listitem', { name: 'Ada' }).waitFor()
  await page.getByText('Table', { exact: true }).click()
  await until(() => new URL(page.url()).searchParams.get('layout') === 'table', 'the address holds the layout')

  // By keyboard only: two rows, then the menu.
  await cell('Ada', 'contact').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await bar().getByText('2 selected').waitFor()
  await bar().getByRole('button', { name: 'Move to' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Interview' }).waitFor()
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await until(async () => (await stageOf('Ada')) !== 'Sourced' && (await stageOf('Grace')) !== 'Sourced', 'both moved')
  assert.equal(await stageOf('Ada'), await stageOf('Grace'))
  assert.equal(await stageOf('Linus'), 'Sourced')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await stageOf('Ada')) === 'Sourced' && (await stageOf('Grace')) === 'Sourced', 'both back')
})

test('many candidates are rejected with a reason, tagged, removed and restored', async () => {
  await page.goto(`/projects/${project.id}?layout=table`)
  await choose('Linus').check()
  await choose('Edsger').check()
  await bar().getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject 2 candidates' })
  const [{ name: reason }] = await read(page, '/reasons?kind=rejection')
  await dialog.getByRole('button', { name: reason }).click()
  await until(async () => (await entryOf('Edsger')).rejection_reason_id !== null, 'Edsger is rejected')
  assert.equal((await entryOf('Linus')).rejection_reason_id, (await entryOf('Edsger')).rejection_reason_id)

  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })
  await choose('Linus').check()
  await bar().getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('Later')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await until(async () => (await read(page, '/contacts?tags=cs.{Later}')).length === 1, 'Linus wears the tag')

  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })
  await choose('Linus').check()
  await bar().getByRole('button', { name: 'Remove' }).click()
  await until(async () => (await entries()).length === 3, 'Linus is gone')
  await page
    .getByRole('alert')
    .filter({ hasText: 'Removed from the project' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await until(async () => (await entryOf('Linus'))?.rejection_reason_id, 'Linus is back, still rejected')

  await cell('Linus', 'contact').getByRole('button').click()
  const panel = page.getByRole('complementary', { name: 'Candidate' })
  await panel.getByRole('tab', { name: 'In this project' }).click()
  await panel.getByText('Candidate added').waitFor()
  await page.goto(`/projects/${project.id}?layout=table&entry=${(await entryOf('Edsger')).id}`)
  await panel.getByRole('tab', { name: 'In this project' }).click()
  await panel.getByText(`— → ${reason}`).waitFor()
  await panel.getByText('Sourced → Rejected').waitFor()
})

test('a refused row shows the reason and stays selected', async () => {
  await page.goto(`/projects/${project.id}?layout=table&columns=contact,stage_id,rejection_reason_id`)
  await cell('Ada', 'rejection_reason_id').dblclick()
  await page.getByRole('option').first().click()
  await page.getByRole('tooltip').waitFor()
  assert.equal((await entryOf('Ada')).rejection_reason_id, null)

  await page.route('**/pipeline-entries/bulk', async (route) => {
    const { items } = route.request().postDataJSON()
    const results = items.map((item, index) => ({
      index,
      id: item.id,
      status: index === 0 ? 409 : 200,
      ...(index === 0 ? { error: { code: 'conflict', message: 'Somebody else was first' } } : {}),
    }))
    await route.fulfill({ json: { data: { results } } })
  })
  await choose('Ada').check()
  await choose('Grace').check()
  await bar().getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: 'Contacted' }).click()
  await bar().getByText('1 selected').waitFor()
  assert.equal(await cell('Ada', 'contact').getAttribute('aria-description'), 'Somebody else was first')
  await page.unroute('**/pipeline-entries/bulk')
})

test('concurrent notes of two users on a candidate are not lost', async () => {
  const ada = await entryOf('Ada')
  await page.goto(`/projects/${project.id}?entry=${ada.id}`)
  const about = page.getByLabel('About this candidate')
  await about.fill('Mine')
  await write(page, 'PUT', `/pipeline-entries/${ada.id}`, { notes: 'Theirs' })
  await page.getByText('Another user changed this meanwhile').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await until(async () => (await entryOf('Ada')).notes === 'Mine', 'mine is kept')
})

test('a project is cloned with its candidates, and the list shows their stages', async () => {
  await page.goto('/projects')
  const row = page.getByRole('row').filter({ hasText: 'Head of Engines' })
  await row.getByText('2 Rejected').waitFor()
  await row.getByText('0 days').waitFor()
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Clone…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Head of Engines, Turin')
  await dialog.getByLabel(/candidates too/).check()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Head of Engines, Turin' }).waitFor()
  const clone = (await read(page, '/projects')).find((one) => one.name === 'Head of Engines, Turin')
  assert.equal(clone.template_id, project.template_id)
  assert.deepEqual(clone.owner_ids, project.owner_ids)
  await until(async () => {
    const found = await read(page, `/projects/${clone.id}/entries`)
    return found.length === 4 && found.every((one) => one.stage.name === 'Sourced')
  }, 'the candidates are there, in the first stage')
})

/** A day in the dashboard's format, so many days or months from now. */
const dayAt = ({ days = 0, months = 0 }) => {
  const now = new Date()
  const date = months
    ? new Date(now.getFullYear(), now.getMonth() + months, 15)
    : new Date(now.getTime() + days * 864e5)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

test('the forecast sums open deals by month, and each number links to its deals', async () => {
  const [pipeline] = await read(page, '/deal-pipelines')
  const stage = pipeline.stages.find((one) => one.probability === 50)
  for (const [title, amount, expected_close_date, currency] of [
    ['Late one', 1000, dayAt({ days: -40 }), 'EUR'],
    ['Next month', 3000, dayAt({ months: 1 }), 'EUR'],
    ['Next month too', 500, dayAt({ months: 1 }), 'EUR'],
    ['In dollars', 800, dayAt({ months: 1 }), 'USD'],
    ['Some day', 200, null, 'EUR'],
  ])
    await write(page, 'POST', '/deals', { title, amount, expected_close_date, currency, stage_id: stage.id })
  await page.goto('/deals')
  await page.getByRole('listitem', { name: 'Late one' }).waitFor()
  await page.getByRole('region', { name: stage.name }).getByText('€4,700 + $800').waitFor()
  await page.getByRole('region', { name: stage.name }).getByText('Weighted €2,350 + $400').waitFor()
  await page.getByText('Forecast', { exact: true }).click()
  const forecast = page.getByRole('region', { name: 'Forecast' })
  const row = (name) => forecast.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' }).format(
    new Date(`${dayAt({ months: 1 })}T12:00:00`),
  )
  await row(month).waitFor()
  assert.deepEqual(await row(month).getByRole('cell').allInnerTexts(), ['3', '€3,500', '€1,750', '$800', '$400'])
  assert.deepEqual(await row('Overdue').getByRole('cell').allInnerTexts(), ['1', '€1,000', '€500', '', ''])
  assert.deepEqual(await row('No date').getByRole('cell').allInnerTexts(), ['1', '€200', '€100', '', ''])
  assert.deepEqual(await row('All open').getByRole('cell').allInnerTexts(), ['5', '€4,700', '€2,350', '$800', '$400'])

  await row(month).getByRole('link', { name: '€3,500' }).click()
  await page.getByRole('button', { name: 'Next month too' }).waitFor()
  assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '3')
  await page.goBack()
  await row('Overdue').getByRole('link', { name: '1', exact: true }).click()
  await cell('Late one', 'expected_close_date').dblclick()
  await page.getByLabel('Expected close', { exact: true }).fill(dayAt({ months: 1 }))
  await page.keyboard.press('Enter')
  await until(
    async () => (await read(page, '/deals?title=Late one'))[0].expected_close_date.startsWith(dayAt({ months: 1 })),
    'the day is kept',
  )
  await page.goto('/deals?layout=forecast')
  await row(month).getByRole('link', { name: '€4,500' }).waitFor()
  assert.equal(await row('Overdue').count(), 0)
})

test('a deal shows how long it was in each stage', async () => {
  const [deal] = await read(page, '/deals?title=Some day')
  await page.goto(`/deals/${deal.id}`)
  const bar = page.getByRole('group', { name: 'Stage' })
  await bar.getByRole('button', { name: /^Lead/ }).click()
  await until(async () => (await read(page, `/deals/${deal.id}`)).stage.name === 'Lead', 'the deal is in Lead')
  await bar.getByRole('button', { name: /^Lead ?\d+ min/ }).waitFor()
  await bar.getByRole('button', { name: /^Proposal ?\d+ min/ }).waitFor()
})

test('many deals are moved at once; a closed one stays, with the reason', async () => {
  const closed = await write(page, 'POST', '/deals', { title: 'Long ago' })
  await write(page, 'POST', `/deals/${closed.id}/close`, { status: 'lost' })
  await page.goto('/deals?layout=table&sort=title')
  await choose('Late one').check()
  await choose('Long ago').check()
  await bar().getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: 'Negotiation' }).click()
  const stageNow = async (title) =>
    (await read(page, `/deals/${(await read(page, `/deals?title=${title}`))[0].id}`)).stage.name
  await until(async () => (await stageNow('Late one')) === 'Negotiation', 'the open one is moved')
  await bar().getByText('1 selected').waitFor()
  assert.match(await cell('Long ago', 'title').getAttribute('aria-description'), /closed|open|lost/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await stageNow('Late one')) === 'Proposal', 'and back')
})

test('the request of a list is copied as curl', async () => {
  await web.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/tasks?list=undated&assigned_to=all')
  await page.getByRole('button', { name: 'For the API' }).click()
  await page.getByRole('menuitem', { name: 'Copy filter' }).click()
  await page.getByText('Copied').waitFor()
  const filter = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(filter, /due_date=is.null/)
  await read(page, `/tasks?${filter}`)
})

test('deals and candidates without a change are marked', async () => {
  const { page: later, context } = await web.open({ storageState: await web.context.storageState() })
  await later.clock.setFixedTime(new Date(Date.now() + 40 * 864e5))
  await later.goto('/deals')
  await later.getByRole('listitem', { name: 'Some day' }).getByText('Idle 40 days').waitFor()
  // Two of the four are rejected, so they do not count as stuck.
  await later.goto('/')
  await later.getByRole('link', { name: /^Head of Engines 2$/ }).click()
  await later.getByRole('row').filter({ hasText: 'Grace' }).waitFor()
  assert.equal(await later.getByRole('grid').getAttribute('aria-rowcount'), '3')
  await context.close()
})

test('the console stayed quiet', () => {
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400/.test(one)),
    [],
  )
})
