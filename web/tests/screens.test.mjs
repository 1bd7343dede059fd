import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { browse, hindrances, read, SECTIONS, serve, setUp } from './support.mjs'

let server
let web

before(async () => {
  server = await serve()
  web = await browse(server)
  await setUp(server, web.page)
  server.run('demo', '--contacts', '300')
})

after(async () => {
  await web?.close()
  await server?.stop()
})

/** Every screen, with data in it. */
async function screens(page) {
  const first = async (path) => (await read(page, path))[0].id
  const project = await first('/projects')
  return [
    '/',
    '/contacts',
    `/contacts/${await first('/contacts')}`,
    `/contacts/${await first('/contacts')}?open=notes`,
    '/contacts?group=global_status',
    '/companies',
    `/companies/${await first('/companies')}`,
    '/deals',
    '/deals?layout=table',
    '/deals?layout=forecast',
    `/deals/${await first('/deals')}`,
    '/projects',
    `/projects/${project}`,
    `/projects/${project}?entry=${await first(`/projects/${project}/entries`)}`,
    `/projects/${project}?layout=table`,
    `/projects/${project}?open=about`,
    '/tasks?assigned_to=all',
    '/inbox',
    '/sequences',
    `/sequences/${await first('/sequences')}?open=steps`,
    `/sequences/${await first('/sequences')}?open=schedule`,
    `/sequences/${await first('/sequences')}?open=results`,
    '/sourcing',
    '/sourcing?open=jobs',
    '/enrichment',
    '/import',
    '/duplicates',
    ...SECTIONS.map((section) => `/settings/${section}`),
  ]
}

/**
 * The event stream stays open, so the network is never idle: a screen is ready when its spinner and placeholders are
 * gone.
 */
const settled = (page) =>
  page.waitForFunction(
    () => !document.querySelector('[aria-label="Loading"]') && !document.querySelector('[class*="ghost"]'),
  )

/** The problems of a screen, after an action on it. */
async function problemsOf(page, path, act) {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  await act?.(page)
  const filled = await page.locator('#main [data-variant=filled]:visible:enabled').allInnerTexts()
  const found = await hindrances(page)
  if (filled.length > 1) found.push(`has ${filled.length} filled buttons: ${filled.join(', ')}`)
  return found.map((one) => `${path}\n  ${one}`)
}

test('every screen is accessible, in light and dark and on a phone, and the console is quiet', async () => {
  const waiting = await screens(web.page)
  const wrong = []
  const walk = async () => {
    const { page, troubles, context } = await web.open({
      storageState: await web.context.storageState(),
      bypassCSP: true,
    })
    for (let path = waiting.shift(); path; path = waiting.shift()) wrong.push(...(await problemsOf(page, path)))
    await context.close()
    wrong.push(...troubles)
  }
  await Promise.all([walk(), walk()])
  assert.deepEqual(wrong, [])
})

/** The most common dialogs: the page of each, and the button that opens it, if the address does not. */
async function dialogs(page) {
  const first = async (path) => (await read(page, path))[0].id
  return [
    ['/contacts?new=1'],
    ['/companies?new=1'],
    ['/deals?new=1'],
    ['/projects?new=1'],
    ['/sequences?new=1'],
    ['/tasks?new=1'],
    ['/settings/api?new=1'],
    ['/settings/members?new=1'],
    ['/settings/accounts', 'Connect a mailbox'],
    ['/settings/accounts', 'Connect a network or chat'],
    [`/contacts/${await first('/contacts')}`, 'Message'],
    [`/deals/${await first('/deals?status=open')}`, 'Close deal'],
  ]
}

test('the most common dialogs are accessible', async () => {
  const { page, troubles, context } = await web.open({
    storageState: await web.context.storageState(),
    bypassCSP: true,
  })
  const wrong = []
  for (const [path, button] of await dialogs(web.page))
    wrong.push(
      ...(await problemsOf(page, path, async () => {
        if (button) await page.getByRole('button', { name: button, exact: true }).click()
        await page.getByRole('dialog').waitFor()
      })),
    )
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  await page.getByRole('heading', { name: 'Hello Olive' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Search people/).fill('a')
  wrong.push(...(await hindrances(page)))
  await context.close()
  assert.deepEqual([...wrong, ...troubles], [])
})

test('no screen breaks the policy on scripts', async () => {
  const { page, troubles, context } = await web.open({ storageState: await web.context.storageState() })
  for (const path of ['/', '/contacts', '/deals', '/sequences', '/settings/tags']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
  }
  await context.close()
  assert.deepEqual(troubles, [])
})

test('a long table is scrolled to its end', async () => {
  const { page } = web
  await page.goto('/contacts?sort=created_at')
  const grid = page.getByRole('grid', { name: 'Contacts' })
  await grid.getByRole('row').nth(1).waitFor()
  const total = Number(await grid.getAttribute('aria-rowcount')) - 1
  await grid.evaluate((element) => element.parentElement.scrollTo(0, 10_000_000))
  const [last] = await read(page, `/contacts?sort=created_at&archived_at=is.null&limit=1&offset=${total - 1}`)
  const name = [last.first_name, last.last_name].filter(Boolean).join(' ')
  await grid
    .locator(`[aria-rowindex="${total + 1}"]`)
    .getByText(name, { exact: true })
    .waitFor()
})

test('a table of a million rows is scrolled to its end', async () => {
  const { page, context } = await web.open({ storageState: await web.context.storageState() })
  const [model] = await read(web.page, '/contacts?limit=1')
  await page.route('**/api/v1/contacts?*', (route) => {
    const asked = new URL(route.request().url()).searchParams
    const offset = Number(asked.get('offset') ?? 0)
    const data = Array.from({ length: Number(asked.get('limit')) }, (_, at) => ({
      ...model,
      id: `${model.id}-${offset + at}`,
      first_name: `Number ${offset + at + 1}`,
      last_name: null,
    }))
    const total = asked.get('count') === 'none' ? null : 1_000_000
    route.fulfill({ json: { data, meta: { total, limit: data.length, offset, has_more: true } } })
  })
  await page.goto('/contacts')
  const grid = page.getByRole('grid', { name: 'Contacts' })
  await grid.getByText('Number 1', { exact: true }).waitFor()
  await grid.evaluate((element) => element.parentElement.scrollTo(0, 1e9))
  await grid.getByText('Number 1000000', { exact: true }).waitFor()
  const box = await grid.getByText('Number 1000000', { exact: true }).boundingBox()
  assert.ok(box.y > 600 && box.y + box.height <= 800, `the last row is at ${box.y}`)
  await page.keyboard.press('Tab')
  await grid.evaluate((element) => element.parentElement.scrollTo(0, element.parentElement.scrollHeight / 2))
  await grid
    .getByText(/^Number (49|50)\d{4}$/)
    .first()
    .waitFor()
  await context.close()
})

test('the first screen needs at most 350 kB', async () => {
  const { page, context } = await web.open({ storageState: await web.context.storageState() })
  await page.goto('/contacts')
  await page.locator('[data-cell="0-0"] button').waitFor()
  await page.evaluate(() => document.fonts.ready)
  const came = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry.name.includes('/assets/'))
      .map((entry) => ({ name: entry.name, size: entry.encodedBodySize, isFont: entry.initiatorType === 'css' })),
  )
  await context.close()
  const sum = (entries) => entries.reduce((total, { size }) => total + size, 0)
  const list = came.map(({ name, size }) => `${name} ${size}`).join(', ')
  assert.ok(came.length > 0 && sum(came) > 0, 'nothing came')
  // Letters of other scripts get their fonts once they are on the screen; they are readable before.
  const first = sum(came.filter(({ isFont }) => !isFont))
  assert.ok(first < 350_000, `${first} bytes: ${list}`)
  assert.ok(sum(came) < 380_000, `${sum(came)} bytes with the fonts of four scripts: ${list}`)
})
