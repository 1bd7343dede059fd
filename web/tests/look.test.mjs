// The look: fonts, marks, tables, density, the phone, and the dashboard as an installed app.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { web, page } = await office()
let ada

before(async () => {
  ada = await write(page, 'POST', '/contacts', {
    first_name: 'Ada',
    last_name: 'Byron',
    title: 'Analyst',
    current_company: 'Engines',
    email: 'ada@example.com',
  })
  for (const [first_name, last_name] of [
    ['Σοφία', 'Βασιλείου'],
    ['Фёдор', 'Соколов'],
    ['Søren', 'Dvořák'],
    ['Nguyễn', 'Thảo'],
    ['Zoe', null],
  ])
    await write(page, 'POST', '/contacts', { first_name, last_name })
})

const grid = () => page.getByRole('grid', { name: 'Contacts' })
const heads = async () =>
  (await grid().getByRole('columnheader').allInnerTexts()).map((one) => one.replace(/[↑↓]/g, '').trim()).filter(Boolean)

test('names in Latin, Greek and Cyrillic letters have the bundled font', async () => {
  await page.goto('/contacts')
  await page.getByRole('gridcell', { name: 'Ada Byron' }).waitFor()
  const loaded = () =>
    page.evaluate(() =>
      ['Ada', 'Dvořák', 'Σοφία', 'Фёдор', 'Nguyễn'].map((text) =>
        document.fonts.check('550 13px "Inter Variable"', text),
      ),
    )
  await until(async () => (await loaded()).every(Boolean), 'all letters have the font')
  assert.match(await page.evaluate(() => getComputedStyle(document.body).fontFamily), /^"Inter Variable"/)
})

test('people and companies have marks with their initials, which are not part of the text', async () => {
  const row = grid().getByRole('row').filter({ hasText: 'Ada Byron' })
  const marks = await row
    .locator('.avatar')
    .evaluateAll((all) =>
      all.map((one) => [one.dataset.initials, one.dataset.company ?? null, one.getAttribute('aria-hidden')]),
    )
  assert.deepEqual(marks, [
    ['AB', null, 'true'],
    ['E', 'true', 'true'],
  ])
  assert.equal(await row.getByRole('gridcell', { name: 'Ada Byron' }).innerText(), 'Ada Byron')
  const greek = grid().getByRole('row').filter({ hasText: 'Σοφία' })
  assert.equal(await greek.locator('.avatar').first().getAttribute('data-initials'), 'ΣΒ')
  // The same name has the same colour everywhere.
  const hue = await row.locator('.avatar').first().getAttribute('data-hue')
  await page.goto(`/contacts/${ada.id}`)
  const head = page.locator('header .avatar').first()
  assert.equal(await head.getAttribute('data-hue'), hue)
})

test('the first column stays in sight when the table is scrolled', async () => {
  await page.setViewportSize({ width: 900, height: 700 })
  await page.goto('/contacts')
  const name = page.getByRole('gridcell', { name: 'Ada Byron' })
  await name.waitFor()
  const before = await name.boundingBox()
  await grid().evaluate((element) => element.parentElement.scrollTo(500, 0))
  await until(
    async () => (await grid().evaluate((element) => element.parentElement.scrollLeft)) > 300,
    'it is scrolled',
  )
  assert.equal((await name.boundingBox()).x, before.x)
  const header = await grid().getByRole('columnheader', { name: 'Name' }).boundingBox()
  assert.equal(header.x, before.x)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('columns are dragged into another order, which the address keeps', async () => {
  await page.goto('/contacts?columns=name,title,emails,location')
  await page.getByRole('gridcell', { name: 'Ada Byron' }).waitFor()
  assert.deepEqual(await heads(), ['Name', 'Title', 'Email', 'Location'])
  const head = (name) => grid().getByRole('columnheader', { name })
  await head('Location').dragTo(head('Title'))
  await until(async () => (await heads()).join() === 'Name,Location,Title,Email', 'it is the first')
  assert.equal(new URL(page.url()).searchParams.get('columns'), 'name,location,title,emails')
  await head('Location').dragTo(head('Email'))
  await until(async () => (await heads()).join() === 'Name,Title,Email,Location', 'it is the last')
  // The name stays the first.
  await head('Email').dragTo(head('Name'))
  assert.deepEqual(await heads(), ['Name', 'Title', 'Email', 'Location'])
  await page.reload()
  await until(async () => (await heads()).join() === 'Name,Title,Email,Location', 'the order is kept')
})

test('each user chooses how close the rows are', async () => {
  const height = async () => (await grid().getByRole('row').nth(1).boundingBox()).height
  const choose = async (name) => {
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  assert.equal(await height(), 36)
  await choose('Compact')
  await until(async () => (await height()) === 30, 'the rows are close')
  await page.reload()
  await until(async () => (await height()) === 30, 'they stay close')
  // Another user of the same browser has a choice of their own.
  const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('relata-density')))
  const { user } = await page.evaluate(async () => (await (await fetch('/dashboard/session')).json()).data)
  assert.deepEqual(kept, [`relata-density-${user.user_id}`])
  await choose('Comfortable')
  await until(async () => (await height()) === 36, 'the rows are apart')
})

test('a phone has its navigation at the bottom', async () => {
  const {
    page: phone,
    context,
    troubles,
  } = await web.open({
    storageState: await web.context.storageState(),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await phone.goto('/')
  const bar = phone.getByRole('navigation', { name: 'Shortcuts' })
  await bar.waitFor()
  const box = await bar.boundingBox()
  assert.ok(box.y + box.height >= 843 && box.height >= 48, JSON.stringify(box))
  for (const one of await bar.locator('a, button').all()) {
    const { width, height } = await one.boundingBox()
    assert.ok(width >= 40 && height >= 40, `${await one.innerText()} ${width}×${height}`)
  }
  await bar.getByRole('link', { name: 'Contacts' }).tap()
  await phone.getByRole('gridcell', { name: 'Ada Byron' }).waitFor()
  await bar.getByRole('button', { name: 'Create' }).tap()
  await phone.getByRole('menuitem', { name: 'New contact' }).tap()
  const dialog = phone.getByRole('dialog', { name: 'New contact' })
  await dialog.getByLabel('First name').fill('Pia')
  await phone.keyboard.press('Enter')
  await until(async () => (await read(page, '/contacts?first_name=Pia')).length === 1, 'the contact is there')
  await bar.getByRole('button', { name: 'More' }).tap()
  await phone.getByRole('dialog').getByRole('link', { name: 'Settings' }).tap()
  await phone.getByRole('navigation', { name: 'Settings' }).waitFor()
  await context.close()
  assert.deepEqual(troubles, [])
})

test('the dashboard can be installed, and keeps no data offline', async () => {
  await page.goto('/')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const response = await page.context().request.get(href)
  assert.match(response.headers()['content-type'], /manifest\+json/)
  const manifest = await response.json()
  assert.equal(manifest.display, 'standalone')
  assert.equal(manifest.start_url, '/')
  for (const icon of manifest.icons) {
    const picture = await page.context().request.get(icon.src)
    assert.equal(picture.headers()['content-type'], icon.type)
    if (icon.type !== 'image/png') continue
    const body = await picture.body()
    assert.equal(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`, icon.sizes)
  }
  assert.ok(manifest.icons.some((one) => one.purpose === 'maskable'))
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker?.getRegistrations())?.length ?? 0), 0)
  assert.deepEqual(await page.evaluate(() => caches.keys()), [])
})

test('long values don’t make a page wider than the screen', async () => {
  const contact = {
    first_name: 'Wilhelmina',
    last_name: 'Featherstonehaugh',
    title: 'Senior Vice President of International Partnerships and Development',
    emails: [1, 2, 3].map((number) => ({ email: `wilhelmina.featherstonehaugh.${number}@example.com` })),
    network_profile: 'https://network.example.com/in/wilhelmina-featherstonehaugh-of-international-partnerships',
    current_company: 'Example Partnerships and Development Company',
  }
  const { id } = await write(page, 'POST', '/contacts', contact)
  const emails = contact.emails.map(({ email }) => ({ email: `other.${email}` }))
  await write(page, 'POST', '/contacts', { ...contact, emails, network_profile: `${contact.network_profile}-2` })
  const deal = await write(page, 'POST', '/deals', { title: 'Ten engineers', contact_ids: [id] })
  for (const [path, text] of [
    ['/duplicates', 'After the merge'],
    [`/deals/${deal.id}`, contact.title],
  ]) {
    await page.goto(path)
    await page.getByText(text).first().waitFor()
    const tooWide = await page
      .locator('.page-body, .page-body .aside')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className))
    assert.deepEqual(tooWide, [], path)
  }
})

test('the console stayed quiet', () => assert.deepEqual(web.troubles, []))
