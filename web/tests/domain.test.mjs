// The check of a sending domain, against a name server of the test.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, test } from 'node:test'
import { hindrances, office, until } from './support.mjs'

/** Texts by name; every other name does not exist. */
const TEXTS = { 'crm7._domainkey.mail.example.org': 'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB' }

/** The answer to a question: its text, or that there is no such name. */
function answerTo(question) {
  const labels = []
  let at = 12
  for (; question[at] > 0; at += question[at] + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]))
  const asked = question.subarray(12, at + 5)
  const text = question.readUInt16BE(at + 1) === 16 ? TEXTS[labels.join('.').toLowerCase()] : undefined
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(text ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(text ? 1 : 0, 6)
  if (!text) return Buffer.concat([head, asked])
  // A pointer to the name, TXT, IN, 60 seconds, and the text with its length.
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length + 1, text.length])
  return Buffer.concat([head, asked, record, Buffer.from(text)])
}

const names = createSocket('udp4')
names.on('message', (question, { port, address }) => names.send(answerTo(question), port, address))
await new Promise((resolve) => names.bind(0, '127.0.0.1', resolve))
process.env.RELATA_DNS_SERVER = `127.0.0.1:${names.address().port}`
after(() => names.close())

const { server, web, page } = await office()

test('a DKIM selector is given, and its key is found', async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Check domain' }).click()
  const check = page.getByRole('group', { name: 'Check of mail.example.org' })
  await check.getByText('no key was found under the usual selectors', { exact: false }).waitFor()

  const selector = check.getByRole('textbox', { name: 'DKIM selector' })
  await selector.click()
  await page.keyboard.type('no name')
  await page.keyboard.press('Enter')
  await until(async () => (await selector.getAttribute('aria-invalid')) === 'true', 'the field is marked')
  await check.getByText(/letters, digits, hyphens and dots/).waitFor()

  await selector.fill('other')
  await check.getByRole('button', { name: 'Check again' }).click()
  await check.getByText('the selector other has no key', { exact: false }).waitFor()
  assert.equal(await selector.getAttribute('aria-invalid'), null)

  await selector.fill('crm7')
  const asked = page.waitForRequest((request) => request.url().includes('/domain-check'))
  await page.keyboard.press('Enter')
  assert.equal(new URL((await asked).url()).searchParams.get('selector'), 'crm7')
  await check.getByText('the selector crm7 has a key').waitFor()
  const { context, page: other } = await web.open({
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  await other.goto('/settings/accounts')
  await other.getByRole('button', { name: 'Check domain' }).click()
  await other.getByRole('textbox', { name: 'DKIM selector' }).waitFor()
  assert.deepEqual(await hindrances(other), [])
  await context.close()
})
