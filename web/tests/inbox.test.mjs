// Mails as people read them: formatted, without scripts and remote content, with their writers.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { office, read, until, write, written } from './support.mjs'

// Images of mails come from this machine only if everything is allowed.
const { server, web, page } = await office('--allow-private-hosts', 'all')
const folder = mkdtempSync(join(tmpdir(), 'relata-inbox-'))
const people = {}

// A sender's web server: a picture of 3 × 2 pixels, and nothing else.
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGNQaFgAQQxwFgBIFAeBy5EWmQAAAABJRU5ErkJggg==',
  'base64',
)
const loaded = []
const sender = createServer((request, response) => {
  loaded.push(request.url)
  response.statusCode = request.url === '/logo.png' ? 200 : 404
  response.end(request.url === '/logo.png' ? PICTURE : '')
})
await new Promise((resolve) => sender.listen(0, '127.0.0.1', resolve))
const images = `http://127.0.0.1:${sender.address().port}`

const HTML = `<p>Dear Olive,</p><table><tr><th>Day</th><th>Time</th></tr><tr><td>Tuesday</td><td>10:00</td></tr></table>
<p><b>Either</b> is fine, see <a href="https://example.com/offer">the offer</a>.</p><img src="${images}/logo.png" alt="Our logo">
<img src="${images}/gone.png"><img src="${images}/pixel.png" width="1" height="1"><script>document.title = 'run'</script>${'<p>Another paragraph.</p>'.repeat(30)}<p>The last line.</p>
<p>On Monday, Olive Owner wrote:</p><blockquote><p>What about a day next week?</p></blockquote>`

const COLOURED = `<p>A <span style="color:#102030;font-weight:bold;background:url(${images}/seen.png)">dark</span> word</p>
<img src="cid:one@example.com" alt="The picture">`

const TEXT = `Gladly, see https://example.com/cv. Write to ada@example.com.

On Monday, Olive Owner wrote:
> What about a day
> next week?`

before(async () => {
  const script = join(folder, 'replies.toml')
  const rule = (match, words) => `[[rules]]\nmatch = "${match}"\naction = "reply"\nafter = 0.2\n${words}\n`
  writeFileSync(
    script,
    rule('html@example.com', `text = "Dear Olive, in words"\nhtml = '''${HTML}'''`) +
      rule('text@example.com', `text = '''${TEXT}'''`) +
      rule('colour@example.com', `text = "A dark word"\nhtml = '''${COLOURED}'''\npicture = "one@example.com"`),
  )
  const [, smtp, imap] = await server.beside(['sandbox', '--script', script], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const account = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...account, '--smtp', smtp, '--imap', imap)
  for (const kind of ['html', 'text']) {
    people[kind] = await write(page, 'POST', '/contacts', {
      first_name: kind === 'html' ? 'Hedy' : 'Tess',
      last_name: 'Example',
      email: `${kind}@example.com`,
    })
    const key = server.run('keys', 'create', '--name', 'Website', '--bundle', 'full_access').match(/relata_\w+/)?.[0]
    const body = {
      contact_id: people[kind].id,
      channel: 'email',
      subject: `About ${kind}`,
      content: 'What about a day?',
    }
    if (kind === 'html') await write(page, 'POST', '/messages', body)
    else {
      const answer = await fetch(`${server.url}/api/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.ok(answer.ok, await answer.text())
    }
  }
  await until(
    async () => (await read(page, '/conversations?unread_count=gt.0')).length === 2,
    'both replies are there',
    60_000,
  )
})

after(() => {
  sender.close()
  rmSync(folder, { recursive: true, force: true })
})

const log = () => page.getByRole('log')

test('an HTML mail is shown as written, in a frame that runs and loads nothing', async () => {
  const requests = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto('/inbox')
  // The list shows how the mail begins.
  await page.getByRole('button', { name: /Hedy Example.*About html.*Dear Olive/s }).click()
  const frame = log().locator('iframe[title*="About html"]')
  await frame.waitFor()
  // Without allow-scripts nothing runs, so that allow-same-origin lets this page see the mail, not the mail this page.
  const flags = (await frame.getAttribute('sandbox')).split(' ').sort()
  assert.deepEqual(flags, ['allow-popups', 'allow-popups-to-escape-sandbox', 'allow-same-origin'])
  const inside = frame.contentFrame()
  await inside.getByRole('cell', { name: 'Tuesday' }).waitFor()
  const link = inside.getByRole('link', { name: 'the offer' })
  assert.equal(await link.getAttribute('href'), 'https://example.com/offer')
  assert.equal(await inside.locator('base').getAttribute('target'), '_blank')
  assert.equal(await inside.locator('script').count(), 0)
  await log().getByText('Hedy Example').waitFor()
  await log().getByText('You', { exact: true }).waitFor()

  // The frame is as high as its content, so that only the conversation scrolls.
  const fits = () =>
    inside.locator('html').evaluate((root) => root.scrollHeight <= root.clientHeight && root.clientHeight < 2000)
  await until(fits, 'the frame fits')
  await inside.getByText('The last line.').waitFor()
  assert.equal(await inside.getByText('What about a day next week?').count(), 0)
  await log().getByRole('button', { name: 'Show quoted text' }).click()
  await inside.getByText('What about a day next week?').waitFor()
  await until(fits, 'the frame fits the quotation, too')

  for (const scheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme: scheme })
    await until(async () => {
      const [red] = await inside.locator('body').evaluate((body) => getComputedStyle(body).color.match(/\d+/g))
      return scheme === 'dark' ? Number(red) > 180 : Number(red) < 80
    }, `the text is readable in ${scheme}`)
  }
  assert.deepEqual(
    requests.filter((url) => /^https?:/.test(url) && !url.startsWith(server.url)),
    [],
  )
  assert.deepEqual(loaded, [])
  assert.notEqual(await page.title(), 'run')
})

const HOSTILE = `<p onclick="parent.document.title = 'run'">Click here</p><script>parent.document.title = 'run'</script>
<img src="${images}/seen.png"><img src="x" onerror="parent.document.title = 'run'"><svg onload="parent.document.title = 'run'"></svg>
<iframe srcdoc="<script>top.document.title = 'run'</script>"></iframe><form action="${images}/form"><button>Send</button></form>
<a href="javascript:void(parent.document.title = 'run')" target="_self">Same window</a>
<a href="javascript:void((opener ?? parent).parent.document.title = 'run')">New window</a>
<meta http-equiv="refresh" content="0;url=${images}/taken"><link rel="stylesheet" href="${images}/style.css">`

test('nothing runs in a mail, even if the server had left scripts in it', async () => {
  // Refused scripts are errors in the console.
  const { page: other, context } = await web.open({ storageState: await page.context().storageState() })
  await other.route(/\/api\/v1\/conversations\/[^/]+\/messages/, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    for (const one of json.data) if (one.html) one.html = HOSTILE
    await route.fulfill({ response, json })
  })
  await other.goto('/inbox')
  await other.getByRole('button', { name: /Hedy Example.*About html/s }).click()
  const inside = other.getByRole('log').locator('iframe[title*="About html"]').contentFrame()
  await inside.getByText('Click here').click()
  await inside.getByRole('button', { name: 'Send' }).click()
  await inside.getByRole('link', { name: 'Same window' }).click()
  await inside.getByRole('link', { name: 'New window' }).click()
  // The page answers keys, so what was clicked before had its time.
  await other.keyboard.press('?')
  await other.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.notEqual(await other.title(), 'run')
  await inside.getByText('Click here').waitFor()
  // The browser also reports requests that it blocks, so the sender's server is asked.
  assert.deepEqual(loaded, [])
  await context.close()
})

test('keys work after a click inside a mail, which can be selected and has links', async () => {
  const { page: other, context, troubles } = await web.open({ storageState: await page.context().storageState() })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.route('https://example.com/**', (route) => route.fulfill({ body: 'The offer' }))
  await other.goto('/inbox')
  const row = (name) => other.getByRole('button', { name: new RegExp(`${name} Example.*About`, 's') })
  await row('Hedy').click()
  const thread = other.getByRole('log')
  const inside = thread.locator('iframe[title*="About html"]').contentFrame()
  const isFirst = (
    await other
      .getByRole('button', { name: /Example.*About/s })
      .first()
      .innerText()
  ).includes('Hedy')

  await inside.getByText('is fine').click()
  await other.keyboard.press(isFirst ? 'j' : 'k')
  await thread.getByRole('link', { name: 'https://example.com/cv' }).waitFor()
  await other.keyboard.press(isFirst ? 'k' : 'j')
  await inside.getByText('is fine').click()
  await other.keyboard.press('?')
  await other.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await other.keyboard.press('Escape')

  await inside.getByRole('cell', { name: 'Tuesday' }).dblclick()
  await other.keyboard.press('Control+c')
  await until(
    async () => (await other.evaluate(() => navigator.clipboard.readText())).trim() === 'Tuesday',
    'the word is copied',
  )
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    inside.getByRole('link', { name: 'the offer' }).click(),
  ])
  await opened.waitForURL('https://example.com/offer')
  assert.equal(await opened.evaluate(() => window.opener), null)
  await opened.close()

  // The letter is not written into the reply.
  await inside.getByText('is fine').click()
  await other.keyboard.press('r')
  await other.keyboard.type('Gladly')
  assert.equal(await written(other.getByLabel('Reply')), 'Gladly')
  await other.keyboard.press('Escape')
  await inside.getByText('is fine').click()
  await other.keyboard.press('e')
  await until(async () => (await read(page, '/conversations?status=archived')).length === 1, 'it is archived')
  await other.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await read(page, '/conversations?status=archived')).length === 0, 'it is back')
  await row('Hedy').click()
  await other.getByRole('button', { name: 'Discard draft' }).click()
  await until(async () => (await read(page, '/message-drafts')).length === 0, 'the reply is discarded')
  assert.deepEqual(troubles, [])
  await context.close()
})

test('images are loaded by the server when asked for, with a word about those that are missing', async () => {
  const requests = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto('/inbox')
  await page.getByRole('button', { name: /Hedy Example.*About html/s }).click()
  await log().getByText('Images are not loaded.').waitFor()
  await log().getByRole('button', { name: 'Load images' }).click()
  const image = log().locator('iframe[title*="About html"]').contentFrame().getByAltText('Our logo')
  await until(async () => (await image.evaluate((one) => one.naturalWidth)) === 3, 'the image is shown')
  await log().getByText('One image is not available.').waitFor()
  assert.equal(await log().getByText('Images are not loaded.').count(), 0)
  assert.deepEqual(loaded.sort(), ['/gone.png', '/logo.png'])
  assert.deepEqual(
    requests.filter((url) => /^https?:/.test(url) && !url.startsWith(server.url)),
    [],
  )
})

test('a text mail has links, its quotation is folded, and the key that wrote is named', async () => {
  await page.goto('/inbox')
  await page.getByRole('button', { name: /Tess Example/ }).click()
  await log().getByRole('link', { name: 'https://example.com/cv', exact: true }).waitFor()
  assert.equal(
    await log().getByRole('link', { name: 'ada@example.com', exact: true }).getAttribute('href'),
    'mailto:ada@example.com',
  )
  await log().getByText('API key Website').waitFor()
  assert.equal(await log().getByText('next week?').count(), 0)
  await log().getByRole('button', { name: 'Show quoted text' }).click()
  await log().getByText('next week?').waitFor()
})

test('J and K go through the conversations', async () => {
  await page.goto('/inbox')
  const list = page.getByRole('button', { name: /Example.*About/s })
  await list.nth(1).waitFor()
  const texts = await list.allInnerTexts()
  const names = texts.map((text) => (text.includes('Hedy') ? 'Hedy' : 'Tess'))
  await list.first().click()
  await log().getByText(`${names[0]} Example`).waitFor()
  await page.keyboard.press('j')
  await log().getByText(`${names[1]} Example`).waitFor()
  await page.keyboard.press('k')
  await log().getByText(`${names[0]} Example`).waitFor()
  // There is none before the first.
  await page.keyboard.press('k')
  await log().getByText(`${names[0]} Example`).waitFor()
})

test('R replies, E archives and shows the next conversation', async () => {
  await page.goto('/inbox')
  await page.getByRole('button', { name: /Tess Example/ }).click()
  await log().getByRole('link', { name: 'https://example.com/cv' }).waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Until Tuesday, then')
  assert.equal(await written(page.getByLabel('Reply')), 'Until Tuesday, then')
  // Escape leaves the reply for the keys of the inbox.
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  const [archived] = await until(async () => {
    const found = await read(page, '/conversations?status=archived')
    return found.length === 1 && found
  }, 'it is archived')
  assert.equal(archived.contact.first_name, 'Tess')
  await log().locator('iframe[title*="About html"]').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await read(page, '/conversations?status=archived')).length === 0, 'it is back')
  // What was not sent is still there.
  await page.getByRole('button', { name: /Tess Example/ }).click()
  await until(async () => (await written(page.getByLabel('Reply'))) === 'Until Tuesday, then', 'the draft is kept')
  assert.deepEqual(web.troubles, [])
})

test('a mail shows the pictures that came with it, and its colours on a white page', async () => {
  const requests = []
  page.on('request', (request) => requests.push(request.url()))
  await page.emulateMedia({ colorScheme: 'dark' })
  const colin = await write(page, 'POST', '/contacts', { first_name: 'Colin', email: 'colour@example.com' })
  const body = { contact_id: colin.id, channel: 'email', subject: 'About colour', content: 'Which one?' }
  await write(page, 'POST', '/messages', body)
  await page.goto('/inbox')
  await page.getByRole('button', { name: /Colin.*About colour.*A dark word/s }).click({ timeout: 60_000 })
  const inside = log().locator('iframe[title*="About colour"]').contentFrame()
  const picture = inside.getByAltText('The picture')
  await until(async () => (await picture.evaluate((one) => one.naturalWidth)) === 3, 'the picture is shown')
  const look = (element) => element.evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).fontWeight])
  assert.deepEqual(await look(inside.getByText('dark', { exact: true })), ['rgb(16, 32, 48)', '700'])
  const background = await inside.locator('body').evaluate((one) => getComputedStyle(one).backgroundColor)
  assert.equal(background, 'rgb(255, 255, 255)')
  // It is in the text, so it is not offered as a file too. Nothing is asked for.
  assert.equal(await log().getByRole('link', { name: /png/ }).count(), 0)
  assert.equal(await log().getByText('Images are not loaded.').count(), 0)
  assert.deepEqual(
    requests.filter((url) => /^https?:/.test(url) && !url.startsWith(server.url)),
    [],
  )
  await page.emulateMedia({ colorScheme: 'light' })
})
