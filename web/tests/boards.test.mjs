// The boards of deals and candidates: by mouse, by keyboard and on a phone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { barriers, office, read, settled, until, write } from './support.mjs'

const { web, page } = await office()
let stages
let company

before(async () => {
  stages = (await read(page, '/deal-pipelines'))[0].stages
  company = await write(page, 'POST', '/companies', { name: 'Lantern Systems' })
  for (const [title, amount, stage] of [
    ['Ten engineers', 25000, 0],
    ['Interim manager', 4000, 0],
    ['Salary benchmark', 1000, 1],
  ])
    await write(page, 'POST', '/deals', {
      title,
      amount,
      currency: 'EUR',
      stage_id: stages[stage].id,
      company_id: company.id,
    })
})

const card = (name) => page.getByRole('listitem', { name })
const column = (name) => page.getByRole('region', { name, exact: true })
const dealOf = async (title) => (await read(page, `/deals?title=${title}`))[0]
const dialog = () => page.getByRole('dialog')
const isFocused = (locator) => locator.evaluate((one) => one === document.activeElement)

/** Drags a card over a place that appears with the drag, and drops it. */
async function drag(from, to) {
  const box = await from.boundingBox()
  await page.mouse.move(box.x + 30, box.y + 12)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + 30, { steps: 4 })
  await to.waitFor()
  const place = await to.boundingBox()
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 6 })
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2 + 3)
  await until(async () => (await to.getAttribute('data-over')) !== null, 'the card is over it')
  await page.mouse.up()
}

test('the board of deals is read with few requests, whatever the number of cards', async () => {
  for (let number = 0; number < 8; number++) {
    const { id } = await write(page, 'POST', '/companies', { name: `Company ${number}` })
    await write(page, 'POST', '/deals', { title: `Deal ${number}`, company_id: id, stage_id: stages[2].id })
  }
  const { page: other, context } = await web.open({ storageState: await web.context.storageState() })
  const asked = []
  // Session, unread messages and the stream of events are those of every screen.
  other.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isOwn = /^\/(api\/v1|dashboard)\//.test(pathname) && !/(session|conversations|stream)$/.test(pathname)
    if (isOwn) asked.push(request.url())
  })
  await other.goto('/deals')
  await other.getByRole('listitem', { name: 'Deal 7' }).getByText('Company 7').waitFor()
  await other.getByRole('listitem', { name: 'Deal 7' }).getByText('No next task').waitFor()
  assert.ok(asked.length <= 6, asked.join('\n'))
  await context.close()
})

test('a card shows its company, owner, next task and the time without a change', async () => {
  const { id } = await dealOf('Ten engineers')
  await write(page, 'POST', '/tasks', { title: 'Later', deal_id: id, due_date: '2040-02-01' })
  await write(page, 'POST', '/tasks', { title: 'Call the client', type: 'call', deal_id: id, due_date: '2040-01-01' })
  await page.goto('/deals')
  const shown = card('Ten engineers')
  await shown.getByText('Lantern Systems').waitFor()
  await shown.getByText('Call the client').waitFor()
  await shown.getByRole('img', { name: 'Owner: Olive Owner' }).waitFor()
  await shown.getByText('0 d', { exact: true }).waitFor()
  await card('Salary benchmark').getByText('No next task').waitFor()
  await column(stages[0].name).getByText('€29,000').waitFor()
})

test('a deal that is dropped on Won or Lost asks what closing asks', async () => {
  await page.goto('/deals')
  await card('Ten engineers').waitFor()
  assert.equal(await column('Won').count(), 0)
  await drag(card('Ten engineers'), column('Won'))
  await dialog().getByLabel('Signed amount (EUR)').fill('24000')
  await dialog().getByRole('button', { name: 'Close deal' }).click()
  await until(async () => (await dealOf('Ten engineers')).status === 'won', 'it is won')
  assert.equal((await dealOf('Ten engineers')).signed_amount, 24000)
  await card('Ten engineers').waitFor({ state: 'detached' })
  assert.equal(await column('Won').count(), 0)

  await drag(card('Interim manager'), column('Lost'))
  assert.ok(await dialog().getByRole('radio', { name: 'Lost' }).isChecked())
  // Nothing happens to a deal whose question is not answered.
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  assert.equal((await dealOf('Interim manager')).status, 'open')
})

test('the places for Won and Lost cover no column while a card is dragged', async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto('/deals')
    await card('Interim manager').getByText('No next task').waitFor()
    const box = await settled(card('Interim manager'))
    await page.mouse.move(box.x + 30, box.y + 12)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + 30, { steps: 4 })
    await column('Won').waitFor()
    // The card stays under the pointer.
    assert.deepEqual(await card('Interim manager').boundingBox(), box)
    const columns = await Promise.all(stages.map(({ name }) => column(name).boundingBox()))
    for (const place of [column('Won'), column('Lost')]) {
      const { x, y, width, height } = await place.boundingBox()
      assert.ok(x >= 0 && y >= 0 && x + width <= viewport.width && height >= 40, `${x} ${y} ${width} ${height}`)
      for (const one of columns) assert.ok(y + height <= one.y, `${y + height} is below ${one.y}`)
    }
    await page.mouse.move(box.x + 30, box.y + 12)
    await page.mouse.up()
    await column('Won').waitFor({ state: 'detached' })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('a deal is closed as lost by keyboard, and restored by undo', async () => {
  await page.goto('/deals')
  await card('Interim manager').focus()
  await page.keyboard.press('l')
  await dialog().getByRole('button', { name: 'Close deal' }).press('Enter')
  await until(async () => (await dealOf('Interim manager')).status === 'lost', 'it is lost')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await dealOf('Interim manager')).status === 'open', 'it is open again')
  await card('Interim manager').waitFor()
})

test('deals are added in a column by their titles; refused and unsent text stays', async () => {
  await page.goto('/deals')
  const [, stage] = stages
  await page.getByRole('button', { name: `Add a deal in ${stage.name}` }).press('Enter')
  const input = page.getByRole('textbox', { name: `New deal in ${stage.name}` })
  await input.waitFor()
  await page.keyboard.type('First of two')
  await page.keyboard.press('Enter')
  await until(async () => (await dealOf('First of two'))?.stage_id === stage.id, 'it is in its stage')
  await until(async () => (await input.inputValue()) === '', 'the next one can be typed')
  assert.ok(await isFocused(input))
  await page.keyboard.type('Second of two')
  await page.keyboard.press('Enter')
  await until(async () => (await dealOf('Second of two'))?.stage_id === stage.id, 'so is the second')
  await column(stage.name).getByRole('listitem', { name: 'Second of two' }).waitFor()

  const long = 'x'.repeat(2000)
  await input.fill(long)
  await page.keyboard.press('Enter')
  await column(stage.name).getByRole('alert').waitFor()
  assert.equal(await input.getAttribute('aria-invalid'), 'true')
  assert.equal(await input.inputValue(), long)
  await input.fill('Not sent yet')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  await page.goBack()
  await until(async () => (await input.inputValue()) === 'Not sent yet', 'the text is still there')
  await input.press('Escape')
  await input.waitFor({ state: 'detached' })
})

test('the board is searched, sorted and filtered, and its totals follow', async () => {
  const titles = (name) =>
    column(name)
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  await page.goto('/deals?sort=title')
  await until(
    async () => (await titles(stages[1].name)).join() === 'First of two,Salary benchmark,Second of two',
    'they are sorted by title',
  )
  await page.getByRole('button', { name: 'Sort: Title' }).click()
  await page.getByRole('menuitem', { name: 'Amount' }).click()
  await until(async () => (await titles(stages[1].name))[0] === 'Salary benchmark', 'they are sorted by amount')
  await page.getByLabel('Search this list').fill('benchmark')
  await until(async () => (await titles(stages[1].name)).join() === 'Salary benchmark', 'one is found')
  await column(stages[1].name).getByText('€1,000', { exact: true }).first().waitFor()
  assert.match(await column(stages[1].name).innerText(), /^\S+\s+1\s/)
  assert.deepEqual(await titles(stages[0].name), [])
})

test('amounts are sorted within their currency, that of the workspace first', async () => {
  const [, , , stage] = stages
  for (const [title, amount, currency] of [
    ['Yen', 900000, 'JPY'],
    ['Few euros', 10, 'EUR'],
    ['Dollars', 5000, 'USD'],
    ['Many euros', 700, 'EUR'],
    ['More yen', 950000, 'JPY'],
  ])
    await write(page, 'POST', '/deals', { title, amount, currency, stage_id: stage.id })
  const titles = () =>
    column(stage.name)
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')).join())
  await page.goto('/deals?sort=-amount')
  await until(async () => (await titles()) === 'Many euros,Few euros,More yen,Yen,Dollars', 'the largest first')
  await page.goto('/deals?sort=amount')
  await until(async () => (await titles()) === 'Few euros,Many euros,Yen,More yen,Dollars', 'the smallest first')
  for (const { id } of await read(page, `/deals?stage_id=${stage.id}`)) await write(page, 'DELETE', `/deals/${id}`)
})

test('a second pipeline is chosen above the board, and its filter has a name', async () => {
  const pipeline = await write(page, 'POST', '/dashboard/deal-pipelines', {
    name: 'Renewals',
    stages: [{ name: 'Due' }],
  })
  await page.goto('/deals')
  await page.getByRole('combobox', { name: 'Pipeline' }).click()
  await page.getByRole('option', { name: 'Renewals' }).click()
  await column('Due').waitFor()
  await page.getByRole('button', { name: 'Edit filter: Pipeline is Renewals' }).waitFor()
  await page.getByRole('button', { name: 'Add a deal in Due' }).click()
  await page.keyboard.type('Contract of Lantern')
  await page.keyboard.press('Enter')
  await until(async () => (await dealOf('Contract of Lantern'))?.pipeline_id === pipeline.id, 'it is in the pipeline')
  await column('Due').getByRole('listitem', { name: 'Contract of Lantern' }).waitFor()
})

test('the board of deals has no barriers, also on a phone', async () => {
  for (const more of [{}, { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' }]) {
    const state = { storageState: await web.context.storageState(), bypassCSP: true, ...more }
    const { page: other, context } = await web.open(state)
    await other.goto('/deals')
    await other.getByRole('listitem', { name: 'Salary benchmark' }).waitFor()
    await other.getByRole('button', { name: `Add a deal in ${stages[0].name}` }).click()
    assert.deepEqual(await barriers(other), [])
    await context.close()
  }
})

test('candidates are sorted, and their cards show rating, notes and the time without a change', async () => {
  const project = await write(page, 'POST', '/projects', { name: 'Head of Engines' })
  for (const [first_name, rating, notes] of [
    ['Ada', 2, null],
    ['Grace', 5, 'Strong in SQL.'],
    ['Linus', 3, null],
  ]) {
    const contact = await write(page, 'POST', '/contacts', { first_name })
    await write(page, 'POST', `/projects/${project.id}/entries`, { contact_id: contact.id, rating, notes })
  }
  const names = () =>
    page.getByRole('listitem').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')).join())
  await page.goto(`/projects/${project.id}`)
  await until(async () => (await names()) === 'Linus,Grace,Ada', 'the last change comes first')
  await card('Grace').getByRole('img', { name: 'Has notes' }).waitFor()
  await card('Grace').getByText('0 d', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sort: Changed' }).click()
  await page.getByRole('menuitem', { name: 'Rating' }).click()
  await until(async () => (await names()) === 'Ada,Linus,Grace', 'the best are last')
  await page.reload()
  await until(async () => (await names()) === 'Ada,Linus,Grace', 'the address keeps the order')
  await page.goto(`/projects/${project.id}?rating=gte.3`)
  await page.getByRole('button', { name: 'Edit filter: Rating at least 3' }).waitFor()
  await until(async () => (await names()) === 'Linus,Grace', 'two match')
})

test('a column with more deals than one answer shows the rest on demand', async () => {
  const [, , , stage] = stages
  const create = (length, name, stageOf) =>
    write(page, 'POST', '/deals/bulk', {
      items: Array.from({ length }, (_, number) => ({
        op: 'create',
        data: { title: `${name} ${number}`, stage_id: stageOf(number).id },
      })),
    })
  const shown = column(stage.name).getByRole('listitem')
  const more = column(stage.name).getByRole('button', { name: 'Show more' })
  await create(120, 'Many', () => stage)
  await page.goto('/deals')
  // The deals of the other columns come after all of these, and are shown nevertheless.
  await card('Salary benchmark').waitFor()
  await until(async () => (await shown.count()) === 120, 'all are shown')

  await create(200, 'More', (number) => stages[number % stages.length])
  await page.goto('/deals')
  await until(async () => {
    if (await more.isVisible()) await more.click()
    return (await shown.count()) === 170
  }, 'all are shown, page by page')
  assert.equal(await more.count(), 0)
})

test('the console stayed quiet', () =>
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400/.test(one)),
    [],
  ))
