// A mailbox is connected by a form: the address first, then its servers and the sign-in.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { office, read, until } from './support.mjs'

const { server, web, page } = await office()
const dialog = page.getByRole('dialog', { name: 'Connect a mailbox' })
const group = (name) => dialog.getByRole('group', { name })
const password = () => dialog.locator('input[type=password]').first()
const save = () => dialog.getByRole('button', { name: 'Connect and test' }).click()

async function open() {
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await until(() => page.evaluate(() => document.activeElement?.type === 'email'), 'the address has the focus')
}

/** The values of a server's fields. */
const shown = async (name) => [
  await group(name).getByLabel('Host').inputValue(),
  await group(name).getByLabel('Port').inputValue(),
  await group(name).getByRole('combobox', { name: 'Security' }).inputValue(),
]

/** A mail server that refuses every password. */
const refusing = createServer((socket) => {
  socket.on('error', () => {})
  socket.write('220 mail.example.com ready\r\n')
  socket.on('data', (data) => {
    const asked = data.toString()
    if (/^EHLO/i.test(asked)) socket.write('250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n')
    else if (/^QUIT/i.test(asked)) socket.end('221 bye\r\n')
    else socket.write('535 5.7.8 Authentication credentials invalid\r\n')
  })
})
await new Promise((resolve) => refusing.listen(0, '127.0.0.1', resolve))
after(() => refusing.close())

test('the provider follows from the address', async () => {
  await open()
  await page.keyboard.type('ada@gmail.com')
  assert.deepEqual(await shown('Outgoing mail'), ['smtp.gmail.com', '465', 'TLS'])
  assert.deepEqual(await shown('Incoming mail'), ['imap.gmail.com', '993', 'TLS'])
  assert.equal(await dialog.getByLabel('User', { exact: true }).inputValue(), 'ada@gmail.com')
  await dialog.getByRole('note').getByText('An app password works as well').waitFor()
  await dialog.getByRole('link', { name: 'https://myaccount.google.com/apppasswords' }).waitFor()
  const address = dialog.getByLabel('Email address')
  await address.fill('ada@outlook.com')
  await dialog.getByRole('note').getByText('Microsoft refuses passwords').waitFor()
  await address.fill('ada@icloud.com')
  assert.deepEqual(await shown('Outgoing mail'), ['smtp.mail.me.com', '587', 'STARTTLS'])
  // A domain of one's own has none of these servers, unless one chooses a provider.
  await address.fill('ada@mail.example.org')
  assert.deepEqual(await shown('Outgoing mail'), ['', '465', 'TLS'])
  assert.equal(await dialog.getByRole('note').count(), 0)
  await dialog.getByRole('combobox', { name: 'Provider' }).click()
  await page.keyboard.type('fast')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.deepEqual(await shown('Incoming mail'), ['imap.fastmail.com', '993', 'TLS'])
})

test('the usual port follows the security', async () => {
  await group('Outgoing mail').getByRole('combobox', { name: 'Security' }).click()
  await page.getByRole('option', { name: 'STARTTLS' }).click()
  assert.equal(await group('Outgoing mail').getByLabel('Port').inputValue(), '587')
  // Escape asks before the text is lost.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Close without saving?' }).getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a pasted address is taken apart, so that its password is hidden', async () => {
  await open()
  await page.keyboard.type('ada@mail.example.org')
  await group('Outgoing mail').getByLabel('Host').fill('smtp://ada%40example.com:s3cret%2F@10.1.2.3:587?tls=none')
  assert.deepEqual(await shown('Outgoing mail'), ['10.1.2.3', '587', 'None'])
  assert.equal(await dialog.getByLabel('User', { exact: true }).inputValue(), 'ada@example.com')
  assert.equal(await password().inputValue(), 's3cret/')
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith('/dashboard/accounts') && one.method() === 'POST'),
    save(),
  ])
  assert.equal(request.postDataJSON().smtp, 'smtp://ada%40example.com:s3cret%2F@10.1.2.3:587?tls=none')
  await dialog.getByText('Relata does not connect to 10.1.2.3: it is not a public address').waitFor()
  assert.equal(await group('Outgoing mail').getByLabel('Host').getAttribute('aria-invalid'), 'true')
  assert.equal(await dialog.getByRole('alert').count(), 1)
  const kept = await page.evaluate(() => JSON.stringify([location.href, history.state, localStorage, sessionStorage]))
  assert.ok(!kept.includes('s3cret'), kept)
  assert.ok(!(await dialog.innerText()).includes('s3cret'))
})

test('each failure stands at its field, and says what it means', async () => {
  const host = group('Outgoing mail').getByLabel('Host')
  const port = group('Outgoing mail').getByLabel('Port')
  await host.fill('127.0.0.1')
  await port.fill(String(refusing.address().port))
  await save()
  await dialog.getByText('The server refused this user and password').waitFor()
  assert.equal(await password().getAttribute('aria-invalid'), 'true')
  assert.equal(await host.getAttribute('aria-invalid'), null)
  const why = dialog.getByRole('button', { name: 'What does this mean?' })
  await why.press('Enter')
  await dialog.getByText('the provider wants an app password here').waitFor()
  assert.equal(await why.getAttribute('aria-expanded'), 'true')

  await port.fill('1')
  await save()
  await dialog.getByText('Nothing answers at this host and port').waitFor()
  assert.equal(await port.getAttribute('aria-invalid'), 'true')
  await why.click()
  await dialog.getByText('a firewall blocks the port').waitFor()

  await page.route('**/dashboard/accounts', (route) =>
    route.fulfill({
      status: 400,
      json: {
        error: {
          code: 'invalid_request',
          message: 'smtp: the certificate is wrong',
          details: [{ field: 'smtp', reason: "the server's certificate is not for 127.0.0.1; use the name in it" }],
        },
      },
    }),
  )
  await save()
  await dialog.getByText("the server's certificate is not for 127.0.0.1").waitFor()
  await why.click()
  await dialog.getByText('A certificate proves that this is the right server').waitFor()
  await page.unroute('**/dashboard/accounts')
})

test('a mailbox is connected, and not a second time', async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  await open()
  await page.keyboard.type('olive@mail.example.org')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Olive at work')
  await group('Outgoing mail').getByLabel('Host').fill(smtp)
  await group('Incoming mail').getByLabel('Host').fill(imap)
  await dialog.getByLabel('Maximum in 24 hours').fill('50')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const account = await until(
    async () => (await read(page, '/connected-accounts')).find((one) => one.status === 'connected'),
    'it is connected',
  )
  assert.equal(account.name, 'Olive at work')
  assert.equal(account.address, 'olive@mail.example.org')
  assert.equal(account.daily_limit, 50)
  assert.equal(account.receives, true)

  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await dialog.getByLabel('Email address').fill('Olive@Mail.example.org')
  await dialog.getByText('This mailbox is connected already').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Connect and test' }).isDisabled(), true)
  await dialog.getByRole('link', { name: 'Open Olive at work' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL(`**/settings/accounts?open=${account.id}`)
  const card = page.getByRole('group', { name: 'Olive at work' })
  await until(() => card.evaluate((one) => one === document.activeElement), 'the mailbox has the focus')
  assert.equal((await read(page, '/connected-accounts')).length, 1)
})

test('a change of the name leaves the servers and the password alone', async () => {
  const card = page.getByRole('group', { name: 'Olive at work' })
  await card.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Olive at work' })
  const outgoing = edit.getByRole('group', { name: 'Outgoing mail' })
  assert.equal(await outgoing.getByLabel('Host').inputValue(), '127.0.0.1')
  assert.equal(await outgoing.getByRole('combobox', { name: 'Security' }).inputValue(), 'None')
  await edit.getByLabel(/^Name/).fill('Olive')
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().includes('/dashboard/accounts/') && one.method() === 'PUT'),
    edit.getByRole('button', { name: 'Save' }).click(),
  ])
  assert.ok(!('smtp' in request.postDataJSON()) && !('imap' in request.postDataJSON()))
  await until(async () => (await read(page, '/connected-accounts'))[0].name === 'Olive', 'it has the name')
  await page.getByRole('group', { name: 'Olive', exact: true }).getByRole('button', { name: 'Test' }).click()
  await page.getByText('Olive works').waitFor()
})

test('a mailbox is made private, by its owner', async () => {
  const card = page.getByRole('group', { name: 'Olive', exact: true })
  await card.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Olive' })
  await edit.getByRole('combobox', { name: 'Who sees its messages' }).click()
  await page.getByRole('option', { name: 'Only me' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  await card.getByText('Private: only you see its conversations and messages').waitFor()
  assert.equal((await read(page, '/connected-accounts'))[0].visibility, 'owner')
})

test('the console stayed quiet', () => {
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400/.test(one)),
    [],
  )
})
