// What users see and keep while the server can't be reached.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { browse, read, serve, setUp, until, write } from './support.mjs'

let server
let line
let web
let page
let ada

/** A line to the server that can be cut and joined again, under one address. */
async function lineTo(url) {
  const { port } = new URL(url)
  const open = new Set()
  let listener
  const join = (at = 0) =>
    new Promise((resolve) => {
      listener = createServer((near) => {
        const far = connect(port, '127.0.0.1')
        for (const socket of [near, far]) {
          open.add(socket)
          socket.on('error', () => {})
          socket.on('close', () => {
            open.delete(socket)
            near.destroy()
            far.destroy()
          })
        }
        near.pipe(far)
        far.pipe(near)
      }).listen(at, '127.0.0.1', () => resolve(listener.address().port))
    })
  const at = await join()
  const cut = () =>
    new Promise((resolve) => {
      listener.close(resolve)
      for (const socket of open) socket.destroy()
    })
  return { url: `http://127.0.0.1:${at}`, cut, join: () => join(at) }
}

before(async () => {
  server = await serve()
  line = await lineTo(server.url)
  web = await browse({ ...server, url: line.url })
  page = web.page
  await setUp(server, page)
  ada = await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example' })
})

after(async () => {
  await web?.close()
  await line?.cut()
  await server?.stop()
})

const banner = () => page.getByText('No connection. Trying again…')

test('a banner shows that the server is gone; other screens wait for it, and unsent text is kept', async () => {
  await page.goto(`/contacts/${ada.id}?open=notes`)
  const note = page.getByLabel('New note')
  await note.pressSequentially('Met at the fair')
  assert.equal(await banner().count(), 0)
  await line.cut()
  await banner().waitFor()
  assert.equal(await note.inputValue(), 'Met at the fair')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('The server can’t be reached').first().waitFor()
  assert.equal(await note.inputValue(), 'Met at the fair')

  // The code and the data of this screen were never loaded.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Companies' }).click()
  await page.waitForURL('**/companies')
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  await banner().waitFor()
  await line.join()
  await page.getByRole('heading', { name: 'Companies' }).waitFor({ timeout: 30_000 })
  await page.getByText('No companies').first().waitFor()
  await banner().waitFor({ state: 'detached' })

  await page.goBack()
  await note.waitFor()
  assert.equal(await note.inputValue(), 'Met at the fair')
  await page.getByRole('button', { name: 'Add note' }).click()
  await until(async () => (await read(page, `/contacts/${ada.id}/notes`))[0]?.content === 'Met at the fair', 'stored')
  await page.reload()
  await page.getByText('Met at the fair').waitFor()
  assert.equal(await note.inputValue(), '')
})

test('an open screen stays while the network is off, and is up to date afterwards', async () => {
  await page.goto(`/contacts/${ada.id}`)
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor()
  await line.cut()
  await banner().waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await line.join()
  await banner().waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor()
  await write(page, 'PUT', `/contacts/${ada.id}`, { location: 'Turin' })
  await page.getByText('Turin').first().waitFor()
})
