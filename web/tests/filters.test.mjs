// Filters and views of a list: by mouse, by keyboard and on a phone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { barriers, office, read, until, write } from './support.mjs'

const { web, page } = await office()

before(async () => {
  const [{ user_id: owner_id }] = await read(page, '/workspace/members')
  const lantern = await write(page, 'POST', '/companies', { name: 'Lantern Systems', owner_id })
  await write(page, 'POST', '/companies', { name: 'Harbour Freight', owner_id: null })
  for (const contact of [
    { first_name: 'Ada', title: 'CTO', tags: ['Berlin', 'Board, non-executive'], company_id: lantern.id },
    { first_name: 'Grace', title: 'CTO, Europe', tags: ['Berlin'], global_status: 'qualified' },
    { first_name: 'Linus', title: 'Engineer', tags: [] },
  ])
    await write(page, 'POST', '/contacts', contact)
})

const asked = (name) => new URL(page.url()).searchParams.getAll(name)
const total = (number) =>
  until(async () => (await page.getByTestId('total').innerText()) === String(number), `${number} are left`)
const chips = () => page.getByRole('group', { name: 'Active filters' })
const edit = (text) => chips().getByRole('button', { name: `Edit filter: ${text}`, exact: true })
const remove = (text) => chips().getByRole('button', { name: `Remove filter: ${text}`, exact: true })
const filter = () => page.getByRole('button', { name: 'Filter', exact: true })

test('a filter is added, changed and removed by keyboard alone', async () => {
  await page.goto('/contacts')
  await total(3)
  await filter().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Field' }).waitFor()
  await page.keyboard.type('title')
  await page.keyboard.press('Enter')
  await until(() => page.getByLabel('Value').evaluate((one) => one === document.activeElement), 'the value is focused')
  await page.keyboard.type('cto')
  await page.keyboard.press('Enter')
  await total(2)
  assert.deepEqual(asked('title'), ['ilike.%cto%'])
  await page.keyboard.press('Escape')
  await until(() => filter().evaluate((one) => one === document.activeElement), 'the focus returns to the button')

  await edit('Title contains cto').press('Enter')
  await page.getByLabel('Value').fill('europe')
  await page.keyboard.press('Enter')
  await total(1)
  await page.keyboard.press('Escape')
  await until(
    () => edit('Title contains europe').evaluate((one) => one === document.activeElement),
    'the focus returns to the chip',
  )
  await page.reload()
  await edit('Title contains europe').waitFor()
  await remove('Title contains europe').press('Enter')
  await total(3)
  assert.deepEqual(asked('title'), [])
})

test('the panel of filters stays where it is while the list behind it changes', async () => {
  await web.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/contacts')
  await total(3)
  await filter().click()
  const place = async () => {
    const { x, y } = await page.getByRole('button', { name: 'Add condition' }).boundingBox()
    return `${x} ${y}`
  }
  await page.getByRole('combobox', { name: 'Field' }).fill('title')
  await page.keyboard.press('Enter')
  await page.getByLabel('Value').waitFor()
  const before = await place()
  await page.getByLabel('Value').fill('europe')
  await page.keyboard.press('Enter')
  await total(1)
  await edit('Title contains europe').waitFor()
  assert.equal(await place(), before)
  await page.getByLabel('Value').fill('nobody')
  await page.keyboard.press('Enter')
  await total(0)
  assert.equal(await place(), before)
  // The query for programs is in a menu; choosing in it leaves the panel open.
  await page.getByRole('button', { name: 'For the API' }).click()
  assert.match(await page.getByTestId('grammar').innerText(), /title=ilike\.%nobody%/)
  await page.getByRole('menuitem', { name: 'Copy filter' }).click()
  await page.getByText('Copied').waitFor()
  assert.equal(await place(), before)
})

test('tags are suggested, and one with a comma is found', async () => {
  await page.goto('/contacts')
  await filter().click()
  await page.getByRole('combobox', { name: 'Field' }).fill('tags')
  await page.keyboard.press('Enter')
  const value = page.getByRole('combobox', { name: 'Value' })
  await value.fill('boa')
  await page.getByRole('option', { name: 'Board, non-executive' }).click()
  await total(1)
  assert.deepEqual(asked('tags'), ['cs.{"Board, non-executive"}'])
  await value.fill('ber')
  await page.getByRole('option', { name: 'Berlin' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await until(() => asked('tags')[0] === 'cs.{"Board, non-executive",Berlin}', 'both are asked for')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await edit('Tags has all of Board, non-executive, Berlin').waitFor()
  await page.reload()
  await edit('Tags has all of Board, non-executive, Berlin').waitFor()
  await total(1)
})

test('people, companies and choices are suggested while typing, and shown by name', async () => {
  const add = async (field) => {
    await page.getByRole('combobox', { name: 'Field' }).last().fill(field)
    await page.getByRole('option', { name: field, exact: true }).click()
  }
  await page.goto('/contacts')
  await filter().click()
  await add('Status')
  await page.getByRole('combobox', { name: 'Value' }).fill('qual')
  await page.getByRole('option', { name: 'Qualified' }).click()
  await edit('Status is Qualified').waitFor()
  await total(1)
  await page.getByRole('button', { name: 'Clear all' }).last().click()
  await add('Linked company')
  await page.getByRole('combobox', { name: 'Value' }).fill('lant')
  await page.getByRole('option', { name: 'Lantern Systems' }).click()
  await edit('Linked company is Lantern Systems').waitFor()
  await total(1)
  await page.goto('/companies')
  await filter().click()
  await add('Owner')
  await page.getByRole('combobox', { name: 'Value' }).fill('oli')
  await page.getByRole('option', { name: 'Olive Owner' }).click()
  await edit('Owner is Olive Owner').waitFor()
  await total(1)
})

test('alternatives, archived records and filters written by hand are chips, and all are cleared at once', async () => {
  await page.goto('/contacts?or=(title.ilike.%25engineer%25,tags.cs.{Berlin})&archived=all&not.or=(title.eq.CEO)')
  await chips().getByText('or', { exact: true }).waitFor()
  await edit('Title contains engineer').waitFor()
  await edit('Tags has all of Berlin').waitFor()
  await total(3)
  await remove('With archived').click()
  await until(() => asked('archived').length === 0, 'archived records are hidden')
  await remove('not.or (title.eq.CEO)').click()
  await until(() => asked('not.or').length === 0, 'the other one is gone')
  assert.equal(asked('or').length, 1)
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.deepEqual(await barriers((await fresh()).page).catch((error) => [error.message]), [])
  await chips().getByRole('button', { name: 'Clear all' }).click()
  await until(() => asked('or').length === 0, 'no filter is left')
  await total(3)
})

/** The same address in a context that allows the checks of accessibility. */
async function fresh(more = {}) {
  const opened = await web.open({ storageState: await web.context.storageState(), bypassCSP: true, ...more })
  await opened.page.goto(page.url())
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

test('an incomplete change of a chip leaves its filter as it was', async () => {
  await page.goto('/contacts?title=ilike.%25cto%25')
  await edit('Title contains cto').click()
  await page.getByRole('combobox', { name: 'Field' }).fill('Location')
  await page.keyboard.press('Enter')
  await page.getByLabel('Value').waitFor()
  assert.deepEqual(asked('title'), ['ilike.%cto%'])
  await page.getByLabel('Value').fill('Nowhere')
  await page.keyboard.press('Tab')
  await until(() => asked('location')[0] === 'ilike.%Nowhere%', 'it is another filter')
  assert.deepEqual(asked('title'), [])
})

const tab = (name) => page.getByRole('tab', { name })
const views = async () => (await (await page.context().request.get('/dashboard/views')).json()).data
const viewOf = async (name) => (await views()).find((one) => one.name === name)

test('a view is a tab: saved, changed, saved again, renamed, shared, deleted and restored', async () => {
  await page.goto('/contacts?title=ilike.%25cto%25')
  await total(2)
  await page.getByRole('button', { name: 'Save as view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Heads')
  await page.keyboard.press('Enter')
  await until(() => viewOf('Heads'), 'the view is stored')
  await until(async () => (await tab('Heads').getAttribute('aria-selected')) === 'true', 'its tab is selected')
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0)

  // By keyboard: the arrows select a tab.
  await tab('Heads').press('ArrowLeft')
  await total(3)
  await page.keyboard.press('ArrowRight')
  await total(2)
  await page.getByRole('button', { name: 'Sort: Added' }).click()
  await page.getByRole('menuitem', { name: 'Title' }).click()
  await tab('Heads').getByRole('img', { name: 'Unsaved changes' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(async () => (await viewOf('Heads')).state.sort === 'title', 'the change is stored')
  await tab('Heads').getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

  await remove('Title contains cto').click()
  await page.getByRole('button', { name: 'Save as', exact: true }).click()
  await dialog.getByLabel('Name').fill('Everybody by title')
  await page.keyboard.press('Enter')
  await until(() => viewOf('Everybody by title'), 'the second view is stored')
  assert.equal((await viewOf('Heads')).state.title, 'ilike.%cto%')

  await tab('Heads').click()
  await total(2)
  await page.getByRole('button', { name: 'Edit view “Heads”' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  await dialog.getByLabel('Name').fill('Heads of technology')
  await dialog.getByLabel('Everybody in the workspace sees it').check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await until(async () => (await viewOf('Heads of technology'))?.shared, 'it is shared under its new name')

  // A shared view is in the navigation of every screen.
  await page.goto('/tasks')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Heads of technology' }).click()
  await total(2)
  await page.reload()
  await total(2)
  await until(
    async () => (await tab('Heads of technology').getAttribute('aria-selected')) === 'true',
    'its tab is selected',
  )
  await page.getByRole('button', { name: 'Edit view “Heads of technology”' }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await until(async () => !(await viewOf('Heads of technology')), 'it is deleted')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(() => viewOf('Heads of technology'), 'it is back')
})

test('the name of a view that the server refuses is explained at the field', async () => {
  await page.goto('/contacts?title=ilike.%25cto%25')
  await page.getByRole('button', { name: 'Save as view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('x'.repeat(2000))
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  assert.equal(await dialog.getByLabel('Name').getAttribute('aria-invalid'), 'true')
})

test('on a phone a list has two lines for each record, and filters and sort are a sheet', async () => {
  await write(page, 'PUT', `/contacts/${(await read(page, '/contacts?first_name=Ada'))[0].id}`, {
    current_company: 'Lantern Systems',
  })
  await page.goto('/contacts')
  const { page: phone, context, troubles } = await fresh({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const row = phone.getByRole('row').filter({ hasText: 'Ada' })
  await row.waitFor()
  assert.equal((await row.innerText()).replace(/\s+/g, ' '), 'Ada CTO · Lantern Systems')
  const names = async () =>
    (await phone.getByRole('gridcell').allInnerTexts()).map((one) => one.split('\n')[0]).filter(Boolean)
  const wide = await phone.evaluate(
    () => [...document.querySelectorAll('*')].filter((one) => one.scrollLeft > 0).length,
  )
  assert.equal(wide, 0)
  await phone.getByRole('button', { name: 'Filter and sort' }).tap()
  const sheet = phone.getByRole('dialog', { name: 'Filter and sort' })
  await sheet.getByRole('combobox', { name: 'Sort' }).tap()
  await phone.getByRole('option', { name: 'First name, descending' }).tap()
  await sheet.getByRole('combobox', { name: 'Field' }).fill('title')
  await phone.getByRole('option', { name: 'Title', exact: true }).tap()
  await sheet.getByLabel('Value').fill('cto')
  await phone.keyboard.press('Enter')
  await until(async () => (await names()).join() === 'Grace,Ada', 'they are filtered and sorted')
  assert.deepEqual(await barriers(phone), [])
  for (const one of await sheet.locator('button:visible, input:visible').all()) {
    const box = await one.boundingBox()
    if (!(await one.getAttribute('type'))?.match(/checkbox/)) assert.ok(box.height >= 40, `${box.height}`)
  }
  // Nothing is cut off, and the buttons are within reach of the thumb.
  const cut = await sheet
    .locator('input:visible, button:visible')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML))
  assert.deepEqual(cut, [])
  const low = await sheet.getByRole('button', { name: 'Show results' }).boundingBox()
  assert.ok(low.y > 700 && low.y + low.height <= 844, `${low.y}`)
  await sheet.getByRole('button', { name: 'Show results' }).tap()
  await sheet.waitFor({ state: 'detached' })
  await phone.getByRole('button', { name: 'Edit filter: Title contains cto' }).waitFor()
  assert.deepEqual(await barriers(phone), [])
  await row.getByRole('button').tap()
  await phone.getByRole('heading', { name: 'Ada' }).waitFor()
  await context.close()
  assert.deepEqual(troubles, [])
})

test('the tabs of a contact are one line at 1280 pixels, and scroll in less', async () => {
  const [contact] = await read(page, '/contacts?first_name=Ada')
  for (const width of [1280, 1000]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/contacts/${contact.id}`)
    await page.getByRole('tab', { name: 'CV and files' }).waitFor()
    const tabs = await page.getByRole('tab').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    assert.equal(new Set(tabs).size, 1)
    const list = page.getByRole('tablist').filter({ hasText: 'CV and files' })
    if (width === 1280) assert.ok(await list.evaluate((one) => one.scrollWidth <= one.clientWidth))
    await page.getByRole('tab', { name: 'CV and files' }).click()
    await until(
      () => page.getByRole('tab', { name: 'CV and files' }).evaluate((one) => one.getAttribute('aria-selected')),
      'the last one can be chosen',
    )
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('on a phone the tabs of a record come first, and the details are one of them', async () => {
  const [company] = await read(page, '/companies?name=Lantern Systems')
  const deal = await write(page, 'POST', '/deals', { title: 'Ten engineers' })
  for (const [path, field] of [
    [`/companies/${company.id}`, 'Industry'],
    [`/deals/${deal.id}`, 'Amount'],
  ]) {
    await page.goto(path)
    await page.getByRole('button', { name: `Edit ${field}` }).waitFor()
    const { page: phone, context } = await fresh({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await phone.getByRole('tab').first().waitFor()
    const box = await phone.getByRole('tablist').boundingBox()
    assert.ok(box.y < 400, `the tabs of ${path} are at ${box.y}`)
    assert.equal(await phone.getByRole('button', { name: `Edit ${field}` }).count(), 0)
    await phone.getByRole('tab', { name: 'Details' }).tap()
    await phone.getByRole('button', { name: `Edit ${field}` }).waitFor()
    await context.close()
  }
})

test('the console stayed quiet', () =>
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400/.test(one)),
    [],
  ))
