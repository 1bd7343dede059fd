// Screenshots of every screen with data of `relata demo`, in light and dark: npm run screenshots [-- contact deals …]
import { mkdirSync, writeFileSync } from 'node:fs'
import { browse, read, SECTIONS, serve, setUp, until, write } from './support.mjs'

const FOLDER = new URL('../../docs/screenshots/', import.meta.url).pathname
const WANTED = process.argv.slice(2)
const server = await serve()
const web = await browse(server)
const { page } = web

await setUp(server, page, { workspace: 'Example Search' })
await server.beside(['demo', '--sandbox'], /\nready/)

// A running sequence with replies.
const [sequence] = (await read(page, '/sequences')).filter((one) => one.mode === 'simple')
const schedule_config = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  start_time: '00:00',
  end_time: '24:00',
}
await write(page, 'PUT', `/sequences/${sequence.id}`, { schedule_config })
await write(page, 'POST', `/sequences/${sequence.id}/start`, {})
const people = await read(page, '/contacts?archived_at=is.null&email=is.not_null&limit=60')
await write(page, 'POST', `/sequences/${sequence.id}/enroll`, { contact_ids: people.map((one) => one.id) })
await until(async () => (await read(page, '/conversations?unread_count=gt.0')).length > 0, 'somebody replies').catch(
  () => {},
)

// A program that uses the API, and an invited member.
const { key } = await write(page, 'POST', '/dashboard/keys', { name: 'Website form', scopes: ['crm'] })
for (const path of ['/contacts?limit=5', '/companies', '/contacts?titel=CTO', '/deals?status=open', '/me']) {
  await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
}
await write(page, 'POST', '/dashboard/invitations', { email: 'mia@example.com', role: 'member' })
await page.waitForTimeout(5000)

await write(page, 'POST', '/enrichment', { contact_ids: people.slice(0, 8).map((one) => one.id), types: ['phone'] })

const first = async (path) => (await read(page, path))[0].id
const project = await first('/projects')
const branched = (await read(page, '/sequences')).find((one) => one.mode === 'advanced').id
const [conversation] = await until(async () => {
  const waiting = await read(page, '/conversations?unread_count=gt.0')
  return waiting.length > 4 && waiting
}, 'replies wait')
const SCREENS = {
  today: '/',
  contacts: '/contacts',
  contact: `/contacts/${people[3].id}`,
  companies: '/companies',
  company: `/companies/${await first('/companies?sort=name')}`,
  deals: '/deals',
  forecast: '/deals?layout=forecast',
  deal: `/deals/${await first('/deals?status=open')}`,
  projects: '/projects',
  candidates: `/projects/${project}`,
  'candidates-table': `/projects/${project}?layout=table&group=stage_id`,
  tasks: '/tasks?assigned_to=all',
  inbox: `/inbox?open=${conversation.id}`,
  sequences: '/sequences',
  'sequence-builder': `/sequences/${branched}?open=steps`,
  'sequence-results': `/sequences/${sequence.id}?open=results`,
  'sequence-enrollments': `/sequences/${sequence.id}?open=enrollments`,
  sourcing: `/sourcing?project_id=${project}`,
  jobs: '/sourcing?open=jobs',
  enrichment: '/enrichment',
  import: '/import',
  duplicates: '/duplicates',
  ...Object.fromEntries(SECTIONS.map((one) => [`settings-${one}`, `/settings/${one}`])),
}

/** The actions on a screen before its screenshot. */
const DONE = {
  async sourcing() {
    await page.getByRole('combobox', { name: 'Job titles' }).fill('Engineer')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page
      .getByRole('checkbox', { name: /^Choose/ })
      .first()
      .waitFor()
  },
  async jobs() {
    await page.getByLabel('Keywords').fill('Engineer')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: /^Add / }).first().waitFor()
  },
}

const converter = await web.browser.newPage()

/** Converts a PNG to WebP, a tenth of its size. */
const small = (png) =>
  converter.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8).split(',')[1]
  }, png.toString('base64'))

for (const colorScheme of ['light', 'dark']) {
  mkdirSync(`${FOLDER}${colorScheme}`, { recursive: true })
  await page.emulateMedia({ colorScheme })
  for (const [name, path] of Object.entries(SCREENS)) {
    if (WANTED.length > 0 && !WANTED.includes(name)) continue
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await DONE[name]?.()
    await page.waitForTimeout(700)
    writeFileSync(`${FOLDER}${colorScheme}/${name}.webp`, Buffer.from(await small(await page.screenshot()), 'base64'))
  }
}

await web.close()
await server.stop()
