// A relata server on a fresh folder, and a browser for it.
//
//   RELATA_BIN   the program to test
//   RELATA_DIST  take the pages from this folder instead of the program's own, while developing
//   CHROMIUM     the browser; Debian's if not given
//   RELATA_WEB_PG  a PostgreSQL cluster in which each server gets a database of its own; SQLite if not given
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after } from 'node:test'
import { chromium } from 'playwright-core'

const BIN = process.env.RELATA_BIN ?? new URL('../../target/debug/relata', import.meta.url).pathname
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The sections of the settings, each a screen. */
export const SECTIONS = [
  'profile',
  'api',
  'requests',
  'workspace',
  'members',
  'plan',
  'fields',
  'pipelines',
  'templates',
  'reasons',
  'tags',
  'erased',
  'accounts',
  'messages',
  'sending',
  'system',
]

export const OWNER = { email: 'olive@example.com', password: 'a lantern over the harbour' }

/** Runs a program to its end; returns its output. */
function ran(program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout.trim()
}

/** A separate database if the tests run on PostgreSQL; returns the environment for programs and a way to drop it. */
function database() {
  const cluster = process.env.RELATA_WEB_PG
  if (!cluster) return { env: {}, drop() {} }
  const name = `web_${randomBytes(6).toString('hex')}`
  const url = new URL(cluster)
  url.pathname = `/${name}`
  ran('psql', ['--quiet', '--command', `CREATE DATABASE ${name}`, cluster])
  return {
    env: { RELATA_DATABASE_URL: url.href },
    drop: () => ran('psql', ['--quiet', '--command', `DROP DATABASE ${name} WITH (FORCE)`, cluster]),
  }
}

/** Starts a process and waits for a matching line; returns the match. */
function started(args, folder, env, pattern) {
  const child = spawn(BIN, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The child process ends with this one, however it ends.
  process.on('exit', () => child.kill())
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (chunk) => {
      said = (said + chunk).slice(-20_000)
      const match = pattern.exec(said)
      if (match) resolve({ child, match, said: () => said })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`)))
    setTimeout(() => reject(new Error(`${args.join(' ')} is not ready: ${said}`)), 60_000).unref()
  })
}

const ended = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.on('exit', resolve)
    child.kill('SIGTERM')
  })

export async function serve(...options) {
  const folder = mkdtempSync(join(tmpdir(), 'relata-web-'))
  const server = await serveIn(folder, ...options)
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...server, stop }
}

/** A server on a folder that may have been used before; the folder is kept. */
export async function serveIn(folder, ...options) {
  const own = database()
  // The dashboard connects accounts of the sandbox, which is on this machine.
  const env = {
    ...process.env,
    RELATA_DATA: folder,
    RELATA_ALLOW_PRIVATE_HOSTS: '127.0.0.0/8,::1',
    // No name server is there, so that tests ask none outside this machine; a test may start one of its own.
    RELATA_DNS_SERVER: process.env.RELATA_DNS_SERVER ?? '127.0.0.1:9',
    ...own.env,
  }
  const { child, match } = await started(
    ['serve', '--listen', '127.0.0.1:0', ...options],
    folder,
    env,
    /Relata listens on (\S+)[\s\S]*Set up dashboard: (?:\1(\S+))?/,
  )
  const helpers = []
  return {
    url: match[1],
    setup: match[2],
    /** Runs an operator's command to its end. */
    run(...args) {
      return ran(BIN, args, { cwd: folder, env })
    },
    /** A command that runs until the server stops. */
    async beside(args, pattern) {
      const helper = await started(args, folder, env, pattern)
      helpers.push(helper.child)
      return helper.match
    },
    async stop() {
      for (const helper of helpers) await ended(helper)
      await ended(child)
      own.drop()
    },
  }
}

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html' }
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; frame-src 'self' blob:; base-uri 'self'; form-action 'self'"

/** Pages from a folder, with the server's content security policy, as long as the server can be reached. */
async function fromFolder(context, folder, origin) {
  const isPage = ({ href, pathname }) => href.startsWith(origin) && !/^\/(api|dashboard|docs)\b/.test(pathname)
  await context.route(isPage, async (route) => {
    const { pathname } = new URL(route.request().url())
    const isReached = await route.fetch({ url: `${origin}/healthz` }).catch(() => null)
    if (!isReached) return route.abort()
    const wanted = join(folder, pathname)
    const file = extname(pathname) && existsSync(wanted) ? wanted : join(folder, 'index.html')
    await route.fulfill({
      body: readFileSync(file),
      contentType: TYPES[extname(file)],
      headers: { 'content-security-policy': POLICY },
    })
  })
}

/** A browser with a page; `troubles` collects console errors. */
export async function browse(server, options = {}) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const open = async (more = {}) => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      bypassCSP: more.bypassCSP ?? false,
      ...options,
      ...more,
    })
    context.setDefaultTimeout(60_000)
    if (process.env.RELATA_DIST) await fromFolder(context, process.env.RELATA_DIST, server.url)
    const page = await context.newPage()
    const troubles = []
    page.on('pageerror', (error) => troubles.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(`${page.url()}: ${message.text()} ${message.location().url}`)
    })
    return { context, page, troubles }
  }
  return { browser, open, ...(await open()), close: () => browser.close() }
}

/** Goes through the set-up link as the first owner. */
export async function setUp(server, page, more = {}) {
  await page.goto(server.setup)
  await page.getByLabel('First name').fill('Olive')
  await page.getByLabel('Last name').fill('Owner')
  await page.getByLabel('Email').fill(OWNER.email)
  await page.locator('input[type=password]').fill(OWNER.password)
  await page.getByLabel('Workspace').fill(more.workspace ?? 'Example Search')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** A server with a workspace, and a page with its owner signed in; both are removed after the file's tests. */
export async function office(...options) {
  const server = await serve(...options)
  let web
  after(async () => {
    await web?.close()
    await server.stop()
  })
  web = await browse(server)
  await setUp(server, web.page)
  return { server, web, page: web.page }
}

/** Reads through the API with the session of the page. */
export async function read(page, path) {
  const response = await page.context().request.get(`/api/v1${path}`)
  if (!response.ok()) throw new Error(`GET ${path}: ${response.status()} ${await response.text()}`)
  return (await response.json()).data
}

/** Writes through the API with the session of the page. */
export async function write(page, method, path, data) {
  const { origin } = new URL(page.url())
  const response = await page
    .context()
    .request.fetch(path.startsWith('/dashboard') ? path : `/api/v1${path}`, { method, data, headers: { origin } })
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`)
  return (await response.json()).data
}

/** What stands in the input of a text, whether it can be formatted or not; every line of an editor is a paragraph. */
export const written = (field) =>
  field.evaluate((one) =>
    one instanceof HTMLTextAreaElement ? one.value : [...one.children].map((line) => line.textContent).join('\n'),
  )

/** Waits until the check passes. */
export async function until(check, what, patience = 60_000) {
  let last
  for (const end = Date.now() + patience; Date.now() < end; ) {
    try {
      last = await check()
      if (last) return last
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${what}: ${last instanceof Error ? last.message : JSON.stringify(last)}`)
}

/** The place of an element once it no longer moves. */
export async function settled(element) {
  let last
  return until(async () => {
    const before = last
    last = await element.boundingBox()
    return before && JSON.stringify(before) === JSON.stringify(last) && last
  }, 'the element no longer moves')
}

/** The violations of WCAG 2.2 AA on the current page. */
export async function barriers(page, rules) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ path: AXE })
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const only = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags }
  const result = await page.evaluate((runOnly) => window.axe.run({ runOnly, resultTypes: ['violations'] }), only)
  return result.violations.map(
    (one) =>
      `${one.id}: ${one.help}\n${one.nodes
        .slice(0, 3)
        .map(
          (node) => `    ${node.html.slice(0, 200)}\n      ${node.failureSummary?.split('\n').slice(1, 3).join(' ')}`,
        )
        .join('\n')}`,
  )
}

/** The problems of the current page: in light mode, the colours again in dark mode, and on a small phone. */
export async function hindrances(page) {
  await page.emulateMedia({ colorScheme: 'light' })
  const found = await barriers(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await barriers(page, ['color-contrast'])).map((one) => `dark: ${one}`))
  await page.setViewportSize({ width: 360, height: 740 })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  if (wide > 360) found.push(`is ${wide} pixels wide on a telephone`)
  return found
}
