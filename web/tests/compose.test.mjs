// Mails as people write them: copies, templates, variables, attachments, signatures and times.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write, written } from './support.mjs'

const { server, web, page } = await office()
const SIGNATURE = 'Olive Owner\nExample Search'
let control
let account
let ada

before(async () => {
  const [, smtp, imap, found] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*control (\S+)\nready/)
  control = found
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  ;[account] = await read(page, '/connected-accounts')
  await write(page, 'PUT', `/dashboard/accounts/${account.id}`, { signature: SIGNATURE })
  ada = await write(page, 'POST', '/contacts', {
    first_name: 'Ada',
    last_name: 'Example',
    current_company: 'Engines',
    email: 'ada@example.com',
  })
  const template = (name, subject, content) => write(page, 'POST', '/message-templates', { name, subject, content })
  await template(
    'Introduction',
    'A question, {{ first_name }}',
    'Dear {{ first_name }},\n\n{% if title %}as a {{ title }}{% else %}at {{ current_company | upper }}{% endif %} you know engines.\n\n{{ sender.signature }}',
  )
  await template('Follow-up', null, 'One more question, {{ title }} {{ first_name | default("there") }}.')
})

const dialog = () => page.getByRole('dialog', { name: 'Message to Ada Example' })
/** The composer without the draft of an earlier test. */
const open = async () => {
  await page.goto(`/contacts/${ada.id}`)
  for (const draft of await read(page, '/message-drafts')) await write(page, 'DELETE', `/message-drafts/${draft.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await dialog().waitFor()
}
const text = () => dialog().getByRole('textbox', { name: 'Message' })
const send = () => dialog().getByRole('button', { name: 'Send', exact: true })
const stored = (subject) =>
  until(async () => (await read(page, '/messages?direction=outbound')).find((one) => one.subject === subject), subject)

test('a template is found by typing, filled in for the contact, and sent with copies and the signature', async () => {
  await open()
  await dialog().getByText('ada@example.com').waitFor()
  await dialog().getByRole('note', { name: 'Signature' }).getByText('Example Search').waitFor()
  await dialog().getByRole('button', { name: 'Template' }).click()
  await page.getByRole('option', { name: /Follow-up/ }).waitFor()
  await page.keyboard.type('intro')
  await until(async () => (await page.getByRole('option').count()) === 1, 'one template fits')
  await page.keyboard.press('Enter')
  await until(
    async () => (await written(text())) === 'Dear Ada,\n\nat ENGINES you know engines.',
    'the values are filled in',
  )
  assert.equal(await dialog().getByLabel('Subject').inputValue(), 'A question, Ada')
  await dialog().getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  await dialog().getByRole('combobox', { name: 'Cc', exact: true }).fill('grace@example.com')
  await page.keyboard.press('Enter')
  await dialog().getByRole('combobox', { name: 'Bcc' }).fill('log@example.com')
  // An address that was typed without Enter counts, too.
  await page.keyboard.press('Control+Enter')
  await page.getByText('Your message will be sent in a moment').waitFor()
  const message = await stored('A question, Ada')
  assert.deepEqual([message.cc, message.bcc], [['grace@example.com'], ['log@example.com']])
  assert.equal(message.content, `Dear Ada,\n\nat ENGINES you know engines.\n\n${SIGNATURE}`)
  // The server fills in the same.
  const [template] = await read(page, '/message-templates?name=Introduction')
  const same = await write(page, 'POST', '/messages', {
    contact_id: ada.id,
    channel: 'email',
    template_id: template.id,
    subject: 'By the server',
  })
  assert.equal(same.content, message.content)
  await until(
    async () => (await fetch(`${control}/mails?to=grace@example.com`).then((one) => one.json())).total === 1,
    'the copy is sent',
  )
})

test('values that are missing are asked about, and a variable is inserted as its value', async () => {
  await open()
  await dialog().getByRole('button', { name: 'Template' }).click()
  await page.getByRole('option', { name: /Follow-up/ }).click()
  await until(async () => (await written(text())) === 'One more question, {{ title }} Ada.', 'the title is missing')
  await dialog().getByLabel('Subject').fill('Again')
  await send().click()
  const question = page.getByRole('dialog', { name: 'Send without these values?' })
  await question.getByText('{{ title }}').waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await text().fill('At ')
  await dialog().getByRole('button', { name: 'Variable' }).click()
  await page.getByRole('option', { name: /Title.*No value/s }).waitFor()
  await page.keyboard.type('company')
  await page.getByRole('option', { name: /Company name.*Engines/s }).click()
  await until(async () => (await written(text())) === 'At Engines', 'the value is inserted')
  await dialog().getByRole('button', { name: 'Leave out signature' }).click()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  // Unsent text is kept, with the subject.
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  assert.equal(await written(text()), 'At Engines')
  await dialog().getByText('No signature.').waitFor()
  await send().click()
  await page.getByText('Your message will be sent in a moment').waitFor()
  assert.equal((await stored('Again')).content, 'At Engines')
})

test('files are uploaded, dropped, pasted, chosen and removed', async () => {
  await open()
  await dialog().getByLabel('Subject').fill('Files')
  await text().fill('See below.')
  const file = (name, letters = 'Hello') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(letters) })
  await dialog()
    .locator('input[type=file]')
    .setInputFiles([file('offer.txt'), file('terms.txt')])
  const list = dialog().getByRole('list', { name: 'Attachments' })
  await list.getByText('terms.txt').waitFor()
  for (const [event, name] of [
    ['drop', 'dropped.txt'],
    ['paste', 'pasted.txt'],
  ]) {
    await text().evaluate(
      (area, [type, filename]) => {
        const data = new DataTransfer()
        data.items.add(new File(['Hi'], filename, { type: 'text/plain' }))
        const made =
          type === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        area.dispatchEvent(made)
      },
      [event, name],
    )
    await list.getByText(name).waitFor()
  }
  await dialog().getByText('4 files, 0.0 of 20 MB').waitFor()
  await list.getByRole('button', { name: 'Remove offer.txt' }).click()
  await list.getByRole('button', { name: 'Remove terms.txt' }).click()
  // Files that were uploaded for this message alone don’t stay with the contact; others do.
  const kept = async () => (await read(page, `/contacts/${ada.id}/files`)).map((one) => one.filename).sort()
  await until(async () => (await kept()).join() === 'dropped.txt,pasted.txt', 'the removed files are deleted')
  await page.evaluate(async (path) => {
    const form = new FormData()
    form.append('file', new File(['Hello'], 'offer.txt', { type: 'text/plain' }))
    await fetch(path, { method: 'POST', body: form })
  }, `/api/v1/contacts/${ada.id}/files`)
  await dialog().getByRole('button', { name: 'Attach' }).click()
  await page.getByRole('menuitem', { name: /offer\.txt/ }).click()
  // The draft outlives the screen.
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Companies' }).click()
  await page.getByRole('heading', { name: 'Companies' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await list.getByText('pasted.txt').waitFor()
  await send().click()
  await page.getByText('Your message will be sent in a moment').waitFor()
  const message = await stored('Files')
  assert.deepEqual(message.attachments.map((one) => one.filename).sort(), ['dropped.txt', 'offer.txt', 'pasted.txt'])
})

test('a refused copy is shown at its field, and nothing is lost', async () => {
  await write(page, 'POST', '/suppressions', { address: 'gone@example.com', reason: 'manual' })
  await open()
  await text().fill('Hello')
  await dialog().getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  const cc = dialog().getByRole('combobox', { name: 'Cc', exact: true })
  // The field is there to be typed into at once.
  await until(() => cc.evaluate((one) => one === document.activeElement), 'Cc has the focus')
  await page.keyboard.type('gone@example.com')
  // The button stays under the pointer while the draft is saved.
  await send().click({ delay: 1500 })
  // A missing subject is asked about.
  const question = page.getByRole('dialog', { name: 'Send without a subject?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'detached' })
  await send().click()
  await question.getByRole('button', { name: 'Send without' }).click()
  await until(async () => (await cc.getAttribute('aria-invalid')) === 'true', 'the field is marked')
  await dialog().getByRole('alert').first().waitFor()
  assert.equal(await written(text()), 'Hello')
  // The problem goes with its cause.
  await cc.press('Backspace')
  await dialog().getByText('gone@example.com', { exact: true }).waitFor({ state: 'detached' })
  await until(async () => (await cc.getAttribute('aria-invalid')) !== 'true', 'the mark is gone')
  assert.equal(await dialog().getByRole('alert').count(), 0)
  await text().fill('')
})

test('copies are suggested by name and address, pasted, and only addresses are accepted', async () => {
  await write(page, 'POST', '/contacts', { first_name: 'Grace', last_name: 'Sample', email: 'sample@example.com' })
  await write(page, 'POST', '/contacts', { first_name: 'Linus', last_name: 'Graceful', email: 'linus@example.com' })
  await open()
  await dialog().getByLabel('Subject').fill('Copies')
  await text().fill('For all of you')
  await dialog().getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  const cc = dialog().getByRole('combobox', { name: 'Cc', exact: true })
  const pill = (name) => dialog().getByText(name, { exact: true })
  // By name, with Enter.
  await cc.fill('grace')
  await page.getByRole('option', { name: /Grace Sample.*sample@example\.com/s }).waitFor()
  assert.match((await page.getByRole('option').allInnerTexts())[0], /Grace Sample/)
  await cc.press('Enter')
  await pill('sample@example.com').waitFor()
  // By address, with a click.
  await cc.fill('linus@')
  await page.getByRole('option', { name: /Linus Graceful/ }).click()
  await pill('linus@example.com').waitFor()
  // An address that is typed whole is taken as it is.
  await cc.fill('new@example.com')
  await cc.press('Enter')
  await pill('new@example.com').waitFor()
  // A wrong one stays, is marked and stops the message.
  await cc.fill('nobody@nowhere')
  await text().focus()
  await dialog().getByText('“nobody@nowhere” is not an email address. Correct or remove it').waitFor()
  assert.equal(await cc.getAttribute('aria-invalid'), 'true')
  assert.equal(await send().isDisabled(), true)
  await cc.focus()
  await page.keyboard.press('Backspace')
  assert.equal(await cc.inputValue(), 'nobody@nowhere')
  await page.keyboard.type('.example.com')
  await page.keyboard.press('Enter')
  await pill('nobody@nowhere.example.com').waitFor()
  await until(async () => (await cc.getAttribute('aria-invalid')) !== 'true', 'it is corrected')
  const bcc = dialog().getByRole('combobox', { name: 'Bcc' })
  await bcc.focus()
  await bcc.evaluate((input) => {
    const data = new DataTransfer()
    data.setData('text/plain', '"Byron, Ada" <one@example.com>; Two, Bea <two@example.com>\nthree@example.com')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await pill('three@example.com').waitFor()
  await send().click()
  const message = await stored('Copies')
  assert.deepEqual(message.cc, [
    'sample@example.com',
    'linus@example.com',
    'new@example.com',
    'nobody@nowhere.example.com',
  ])
  assert.deepEqual(message.bcc, ['one@example.com', 'two@example.com', 'three@example.com'])
})

test('a member without a mailbox learns where to connect one', async () => {
  await write(page, 'PUT', `/dashboard/accounts/${account.id}`, { visibility: 'owner' })
  server.run('members', 'add', '--email', 'nell@example.com', '--role', 'member')
  const link = new URL(server.run('members', 'reset-password', '--email', 'nell@example.com'))
  const other = await web.open()
  await other.page.goto(link.pathname + link.hash)
  await other.page.getByLabel('First name').fill('Nell')
  await other.page.locator('input[type=password]').fill('a long enough teapot')
  await other.page.getByRole('button', { name: 'Save and sign in' }).click()
  await other.page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await other.page.goto(`/contacts/${ada.id}`)
  await other.page.getByRole('button', { name: 'Message', exact: true }).click()
  const form = other.page.getByRole('dialog', { name: 'Message to Ada Example' })
  await form.getByText('You have no mailbox to send with yet').waitFor()
  assert.equal(await form.getByRole('button', { name: 'Send' }).count(), 0)
  await form.getByRole('link', { name: 'Settings › Connected accounts' }).click()
  await other.page.getByRole('button', { name: 'Connect a mailbox' }).waitFor()
  await other.context.close()
  await write(page, 'PUT', `/dashboard/accounts/${account.id}`, { visibility: 'workspace' })
})

test('without a connection the message stays as it was written', async () => {
  await open()
  await dialog().getByLabel('Subject').fill('Offline')
  await text().fill('Hello again')
  await page.route('**/api/v1/messages', (route) => route.abort())
  await send().click()
  await dialog().getByText('The server can’t be reached').waitFor()
  assert.equal(await written(text()), 'Hello again')
  await page.unroute('**/api/v1/messages')
  await send().click()
  assert.match((await stored('Offline')).content, /^Hello again/)
})

test('an unsent message is there again after a reload, also in another browser', async () => {
  await open()
  await dialog().getByLabel('Subject').fill('Unfinished')
  await text().fill('Dear Ada,')
  await dialog().getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  await dialog().getByRole('combobox', { name: 'Cc', exact: true }).fill('bea@example.com')
  await page.keyboard.press('Enter')
  await dialog().getByText('Draft saved').waitFor()
  const [draft] = await read(page, `/message-drafts?contact_id=${ada.id}`)
  assert.deepEqual([draft.subject, draft.content, draft.cc], ['Unfinished', 'Dear Ada,', ['bea@example.com']])
  // Closed with the last words unsaved.
  await text().fill('Dear Ada, I')
  await page.reload()
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await until(async () => (await written(text())) === 'Dear Ada, I', 'the draft is back')
  const other = await web.open({ storageState: await web.context.storageState() })
  await other.page.goto(`/contacts/${ada.id}`)
  await other.page.getByRole('button', { name: 'Message', exact: true }).click()
  const there = other.page.getByRole('dialog', { name: 'Message to Ada Example' })
  await until(async () => (await written(there.getByLabel('Message'))) === 'Dear Ada, I', 'it is there, too')
  assert.equal(await there.getByLabel('Subject').inputValue(), 'Unfinished')
  await other.context.close()
  // It ends with the message, and when it is emptied.
  await text().fill('Dear Ada, I am {{ sender.name }}.')
  await send().click()
  const message = await stored('Unfinished')
  assert.match(message.content, /^Dear Ada, I am [^{]/)
  assert.deepEqual(message.cc, ['bea@example.com'])
  assert.deepEqual(await read(page, '/message-drafts'), [])
  await open()
  await text().fill('Never mind')
  await dialog().getByText('Draft saved').waitFor()
  const emptied = async () => {
    await text().fill('')
    return (await written(text())) === ''
  }
  // The editor may replace the plain input at this moment.
  await until(emptied, 'the text is empty')
  await until(async () => (await read(page, '/message-drafts')).length === 0, 'the draft is deleted')
  await page.keyboard.press('Escape')
})

test('a draft comes back whole: text, copies and the account that sends', async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Second', '--address', 'second@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  const second = (await read(page, '/connected-accounts')).find((one) => one.name === 'Second')
  await open()
  await dialog().getByLabel('From', { exact: true }).click()
  await page.getByRole('option', { name: /^Second/ }).click()
  await dialog().getByLabel('Subject').fill('Whole')
  await text().fill('Stays here')
  await dialog().getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  await dialog().getByRole('combobox', { name: 'Cc', exact: true }).fill('grace@example.com')
  await page.keyboard.press('Enter')
  await until(async () => {
    const [draft] = await read(page, '/message-drafts')
    return draft?.content === 'Stays here' && draft.cc.length === 1 && draft.account_id === second.id
  }, 'the server has the draft')
  // The editor is loaded with the first opening of a page, and the draft before or after it.
  for (const wait of [0, 0, 300, 1500]) {
    await page.reload()
    const button = page.getByRole('button', { name: 'Message', exact: true })
    await button.waitFor()
    await page.waitForTimeout(wait)
    await button.click()
    await until(async () => (await dialog().getByLabel('Subject').inputValue()) === 'Whole', 'the draft is loaded')
    await dialog().getByRole('toolbar', { name: 'Formatting' }).waitFor()
    assert.equal(await written(text()), 'Stays here', `opened after ${wait} ms`)
    await dialog().getByText('grace@example.com').waitFor()
    await until(
      async () => (await dialog().getByLabel('From', { exact: true }).inputValue()).startsWith('Second'),
      'the account is chosen',
    )
  }
  await send().click()
  await page.getByText('Your message will be sent in a moment').waitFor()
  const message = await stored('Whole')
  const conversation = await read(page, `/conversations/${message.conversation_id}`)
  assert.deepEqual([conversation.account_id, message.cc], [second.id, ['grace@example.com']])
  assert.deepEqual(await read(page, '/message-drafts'), [])
})

test('a message is sent later, from the keyboard', async () => {
  await open()
  await dialog().getByLabel('Subject').fill('Later')
  await text().fill('See you.')
  const later = dialog().getByRole('button', { name: 'Send later' })
  await later.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /Tomorrow morning/ }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Send later' })
  const time = asked.getByLabel('Date and time')
  await time.fill('2020-01-01T09:00')
  await asked.getByText('in the past').waitFor()
  const next = new Date(Date.now() + 3 * 86_400_000)
  next.setHours(10, 30, 0, 0)
  const local = new Date(next.getTime() - next.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  await time.fill(local)
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/^Scheduled for /)
    .waitFor()
  const message = await stored('Later')
  assert.equal(message.status, 'queued')
  assert.equal(new Date(message.send_at).getTime(), next.getTime())
})

test('the composer is accessible, also on a phone and in the dark', async () => {
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  await other.page.goto(`/contacts/${ada.id}`)
  await other.page.getByRole('button', { name: 'Message', exact: true }).click()
  await other.page.getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  await other.page.getByRole('note', { name: 'Signature' }).waitFor()
  assert.deepEqual(await hindrances(other.page), [])
  await other.context.close()
})

test('a reply has the same tools, and Ctrl-Enter sends it', async () => {
  const [first] = await read(page, '/conversations')
  await page.goto(`/inbox?open=${first.id}`)
  const reply = page.getByRole('textbox', { name: 'Reply', exact: true })
  await page.getByRole('log').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Dear colleague')
  await page.getByRole('note', { name: 'Signature' }).waitFor()
  await page.getByRole('button', { name: 'Cc, Bcc and Reply-To' }).click()
  await page.getByRole('combobox', { name: 'Cc', exact: true }).fill('Bea Example <bea@example.com>')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'reply.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') })
  await page.getByRole('list', { name: 'Attachments' }).getByText('reply.txt').waitFor()
  // Another conversation and back: everything is kept.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
  await page.goBack()
  await until(async () => (await written(reply)) === 'Dear colleague', 'the text is kept')
  await page.getByRole('list', { name: 'Attachments' }).getByText('reply.txt').waitFor()
  await until(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled(), 'it can be sent')
  await reply.focus()
  await page.keyboard.press('Control+Enter')
  const message = await until(
    async () =>
      (await read(page, `/conversations/${first.id}/messages`)).find((one) => one.content.startsWith('Dear colleague')),
    'it is sent',
  )
  assert.deepEqual([message.cc, message.attachments[0].filename], [['bea@example.com'], 'reply.txt'])
  assert.match(message.subject, /^Re: /)
  await until(async () => (await written(reply)) === '', 'the draft is empty')
})

test('a reply that is sent before its draft has arrived leaves no draft', async () => {
  const [first] = await read(page, '/conversations')
  await page.goto(`/inbox?open=${first.id}`)
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await page.getByRole('log').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Without delay')
  await page.getByText('Draft saved').waitFor()
  const isList = (url) => url.pathname === '/api/v1/message-drafts'
  await page.route(isList, async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 3000))
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
  await page.goBack()
  await until(async () => (await written(reply)) === 'Without delay', 'the text is kept')
  await reply.focus()
  await page.keyboard.press('Control+Enter')
  await until(async () => (await written(reply)) === '', 'the reply is empty')
  await page.unrouteAll({ behavior: 'wait' })
  assert.deepEqual(await read(page, '/message-drafts'), [])
  assert.equal(await written(reply), '')
})

test('a template is filled in as it would be sent', async () => {
  await write(page, 'PUT', `/contacts/${ada.id}`, { title: null, location: 'o’hara-ville', skills: ['Looms', 'Maps'] })
  for (const content of [
    '{{ first_name | upper }} {{ location | title }} {{ location | capitalize }}',
    '{{ title | default("friend") | upper }}, {{ skills | join(", ") }}, {{ skills | first }}',
    '{% if title %}A{% elif location == "nowhere" %}B{% else %}C{%- endif %} end',
    'One {{- " two " -}} three {% if not title and first_name != "Bob" %}yes{% endif %}',
    '{{ sender.name }} {{ sender.first_name }} {{ sender.email }}',
    '<p>{{ first_name }} &amp; {{ sender.name }} {{ "<b>" }}</p>',
  ]) {
    const template = await write(page, 'POST', '/message-templates', { name: 'Same', content })
    await open()
    await dialog().getByRole('button', { name: 'Template' }).click()
    await page.keyboard.type('Same')
    await page.getByRole('option', { name: /Same/ }).waitFor()
    await page.keyboard.press('Enter')
    await until(async () => (await written(text())) !== '', content)
    const draft = await until(async () => (await read(page, '/message-drafts'))[0], 'it is kept as a draft')
    const body = { contact_id: ada.id, channel: 'email', signature: false, send_at: new Date(Date.now() + 9e7) }
    const sent = await write(page, 'POST', '/messages', { ...body, template_id: template.id })
    const here = await write(page, 'POST', '/messages', { ...body, content: draft.content })
    assert.deepEqual([here.content, here.html], [sent.content, sent.html], content)
    await text().fill('')
    await write(page, 'DELETE', `/message-templates/${template.id}`)
  }
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400|ERR_FAILED/.test(one)),
    [],
  )
})
