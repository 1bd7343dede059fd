// Messages that were begun and not sent: the list of them, and how they are continued and discarded.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write, written } from './support.mjs'

const { server, web, page } = await office()
const people = {}
let conversation

before(async () => {
  const [, smtp, imap, chat, token] = await server.beside(
    ['sandbox'],
    /smtp (\S+)\nimap (\S+)[\s\S]*chat (\S+) (\S+)\n[\s\S]*ready/,
  )
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  server.run('accounts', 'add', '--provider', 'chat', '--name', 'Chat', '--url', chat, '--token', token)
  for (const first_name of ['Ada', 'Ben', 'Cleo']) {
    const email = `${first_name.toLowerCase()}@example.com`
    people[first_name] = await write(page, 'POST', '/contacts', {
      first_name,
      last_name: 'Example',
      email,
      phone: '+3225550100',
    })
  }
  const body = { contact_id: people.Ben.id, channel: 'email', subject: 'A question', content: 'Hello' }
  conversation = (await write(page, 'POST', '/messages', body)).conversation_id
})

const drafts = () => read(page, '/message-drafts')
const row = (name) =>
  page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: new RegExp(`^(?!Discard).*${name} Example`, 's') })
const dialog = (name) => page.getByRole('dialog', { name: `Message to ${name} Example` })
const text = (name) => dialog(name).getByRole('textbox', { name: 'Message' })
const kept = (content) =>
  until(async () => (await drafts()).some((one) => one.content === content), `the draft “${content}” is kept`)
const list = () => page.getByText('Drafts', { exact: true }).click()

test('a message that was begun is in the list of drafts, is continued and sent', async () => {
  await page.goto(`/contacts/${people.Ada.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await dialog('Ada').getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await dialog('Ada').getByLabel('Subject').fill('An offer')
  await text('Ada').click()
  await page.keyboard.type('Would you have')
  await page.keyboard.press('Escape')
  await dialog('Ada').waitFor({ state: 'detached' })
  await kept('Would you have')

  await page.goto('/inbox')
  await list()
  await page.getByRole('button', { name: /Ada Example.*New.*An offer.*Would you have/s }).click()
  await until(async () => (await written(text('Ada'))) === 'Would you have', 'the text is there')
  assert.equal(await dialog('Ada').getByLabel('Subject').inputValue(), 'An offer')
  await dialog('Ada').getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await text('Ada').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' a moment?')
  await kept('Would you have a moment?')
  // The open draft is in the address.
  await page.reload()
  await until(async () => (await written(text('Ada'))) === 'Would you have a moment?', 'it is open again')
  await dialog('Ada').getByRole('button', { name: 'Send', exact: true }).click()
  await dialog('Ada').waitFor({ state: 'detached' })
  await until(async () => (await drafts()).length === 0, 'the draft is gone')
  await page.getByText('No drafts', { exact: true }).waitFor()
  const [message] = (await read(page, '/messages?direction=outbound')).filter((one) => one.subject === 'An offer')
  assert.match(message.content, /^Would you have a moment\?/)
})

test('a draft by chat is continued as a chat', async () => {
  await page.goto(`/contacts/${people.Cleo.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await dialog('Cleo').getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'Chat' }).click()
  await text('Cleo').click()
  await page.keyboard.type('Call me')
  await kept('Call me')
  assert.equal((await drafts())[0].channel, 'chat')
  await page.goto('/inbox?list=drafts')
  await row('Cleo').click()
  await until(async () => (await written(text('Cleo'))) === 'Call me', 'the text is there')
  assert.equal(await dialog('Cleo').getByRole('combobox', { name: 'Channel' }).inputValue(), 'Chat')
  await page.keyboard.press('Escape')
  await dialog('Cleo').waitFor({ state: 'detached' })
})

test('a reply that was begun is in the list, too, and opens its conversation', async () => {
  await page.goto(`/inbox?open=${conversation}`)
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await reply.click()
  await page.keyboard.type('One more thing')
  await kept('One more thing')
  await list()
  await page.getByRole('button', { name: /Ben Example.*Reply.*A question.*One more thing/s }).click()
  await until(async () => (await written(reply)) === 'One more thing', 'the reply is there')
  // A search finds words of drafts.
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('more')
  await row('Ben').waitFor()
  await until(async () => (await row('Cleo').count()) === 0, 'others are not found')
})

test('drafts are discarded in the list and in the composer, which is undone', async () => {
  await page.goto(`/inbox?list=drafts&open=${conversation}`)
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await until(async () => (await written(reply)) === 'One more thing', 'the reply is there')
  await page.getByRole('button', { name: 'Discard the draft to Ben Example' }).click()
  await until(async () => !(await drafts()).some((one) => one.conversation_id), 'the reply is discarded')
  await row('Ben').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await kept('One more thing')
  await row('Ben').click()
  await until(async () => (await written(reply)) === 'One more thing', 'the reply is back')

  await row('Cleo').click()
  await until(async () => (await written(text('Cleo'))) === 'Call me', 'the text is there')
  await dialog('Cleo').getByRole('button', { name: 'Discard draft' }).click()
  await dialog('Cleo').waitFor({ state: 'detached' })
  await until(async () => (await drafts()).length === 1, 'it is discarded')
  await row('Cleo').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await kept('Call me')
  await row('Cleo').click()
  await until(async () => (await written(text('Cleo'))) === 'Call me', 'the text is back')
  await page.keyboard.press('Escape')

  // Nothing comes back by itself.
  await page.getByRole('button', { name: 'Discard the draft to Cleo Example' }).click()
  await row('Cleo').waitFor({ state: 'detached' })
  await page.goto(`/contacts/${people.Cleo.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await dialog('Cleo').getByRole('toolbar', { name: 'Formatting' }).waitFor()
  assert.equal(await written(text('Cleo')), '')
  assert.deepEqual(web.troubles, [])
})

test('the Reply-To and the time of a program’s draft are kept, and used when it is sent', async () => {
  const dora = await write(page, 'POST', '/contacts', {
    first_name: 'Dora',
    last_name: 'Example',
    email: 'dora@example.com',
  })
  const send_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await write(page, 'POST', '/message-drafts', {
    contact_id: dora.id,
    subject: 'Prepared',
    content: 'By a program',
    reply_to: 'answers@example.com',
    send_at,
  })
  const draft = async () => (await drafts()).find((one) => one.contact_id === dora.id)
  await page.goto('/inbox?list=drafts')
  await row('Dora').click()
  await until(async () => (await written(text('Dora'))) === 'By a program', 'the text is there')
  const replyTo = dialog('Dora').getByLabel('Reply-To')
  assert.equal(await replyTo.inputValue(), 'answers@example.com')
  const planned = dialog('Dora').getByRole('note', { name: 'Planned time' })
  await planned.getByText(/^Planned for/).waitFor()
  await dialog('Dora').getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await text('Dora').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(', and me')
  await kept('By a program, and me')
  const { reply_to, send_at: at } = await draft()
  assert.deepEqual([reply_to, new Date(at).getTime()], ['answers@example.com', new Date(send_at).getTime()])

  // What is no address is marked once the field is left; a name beside the address is taken off.
  const send = dialog('Dora').getByRole('button', { name: 'Send', exact: true })
  await replyTo.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('nobody')
  await page.keyboard.press('Tab')
  await dialog('Dora').getByRole('alert').getByText('“nobody” is not an email address').waitFor()
  assert.equal(await send.isDisabled(), true)
  await replyTo.fill('Grace Example <grace@example.com>')
  await page.keyboard.press('Tab')
  await until(async () => (await replyTo.inputValue()) === 'grace@example.com', 'the address alone')
  await until(async () => (await draft()).reply_to === 'grace@example.com', 'it is saved')
  await planned.getByRole('button', { name: 'Schedule' }).click()
  await dialog('Dora').waitFor({ state: 'detached' })
  await until(async () => !(await draft()), 'the draft is gone')
  const message = (await read(page, '/messages?status=queued')).find((one) => one.contact_id === dora.id)
  assert.deepEqual(
    [message.reply_to, new Date(message.send_at).getTime()],
    ['grace@example.com', new Date(at).getTime()],
  )
})

test('the time of a draft is removed, and answers go to the account without a Reply-To', async () => {
  const send_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const body = {
    contact_id: people.Ada.id,
    subject: 'At once',
    content: 'Now',
    reply_to: 'answers@example.com',
    send_at,
  }
  await write(page, 'POST', '/message-drafts', body)
  const draft = async () => (await drafts()).find((one) => one.subject === 'At once')
  await page.goto('/inbox?list=drafts')
  await row('Ada').click()
  await until(async () => (await written(text('Ada'))) === 'Now', 'the text is there')
  await dialog('Ada').getByRole('button', { name: 'Remove time' }).click()
  await dialog('Ada').getByLabel('Reply-To').fill('')
  await until(async () => {
    const { send_at: at, reply_to } = await draft()
    return at === null && reply_to === null
  }, 'both are removed')
  await dialog('Ada').getByRole('button', { name: 'Send', exact: true }).click()
  await dialog('Ada').waitFor({ state: 'detached' })
  const message = (await read(page, '/messages?direction=outbound')).find((one) => one.subject === 'At once')
  assert.deepEqual([message.reply_to, message.send_at], [null, null])
})

test('a draft keeps its attachments, of many files of the contact and of other records', async () => {
  const fay = await write(page, 'POST', '/contacts', {
    first_name: 'Fay',
    last_name: 'Example',
    email: 'fay@example.com',
  })
  const upload = async (path, filename) =>
    (await write(page, 'POST', `${path}/files`, { filename, file_base64: btoa(filename) })).id
  const files = []
  for (let number = 1; number <= 60; number++) files.push(await upload(`/contacts/${fay.id}`, `file-${number}.txt`))
  const project = await write(page, 'POST', '/projects', { name: 'A search' })
  const attachments = [files[0], files[59], await upload(`/projects/${project.id}`, 'brief.txt')]
  await write(page, 'POST', '/message-drafts', { contact_id: fay.id, subject: 'Files', content: 'See', attachments })
  const draft = async () => (await drafts()).find((one) => one.contact_id === fay.id)
  await page.goto('/inbox?list=drafts')
  await row('Fay').click()
  const attached = dialog('Fay').getByRole('list', { name: 'Attachments' })
  await attached.getByText('file-1.txt', { exact: true }).waitFor()
  await attached.getByText('file-60.txt', { exact: true }).waitFor()
  await attached.getByText('File of another record').waitFor()
  await dialog('Fay').getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await text('Fay').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' these')
  await kept('See these')
  assert.deepEqual((await draft()).attachments, attachments)
  await dialog('Fay').getByRole('button', { name: 'Remove file-60.txt' }).click()
  await until(async () => (await draft()).attachments.length === 2, 'one is removed')
  await dialog('Fay').getByRole('button', { name: 'Send', exact: true }).click()
  await dialog('Fay').waitFor({ state: 'detached' })
  const message = (await read(page, '/messages?direction=outbound')).find((one) => one.subject === 'Files')
  assert.deepEqual(message.attachments.map((one) => one.filename).sort(), ['brief.txt', 'file-1.txt'])
})

test('the list is accessible, in light and dark and on a phone', async () => {
  const { page: other, context } = await web.open({
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  await other.goto('/inbox?list=drafts')
  await other.getByRole('button', { name: /Ben Example.*One more thing/s }).waitFor()
  assert.deepEqual(await hindrances(other), [])
  await context.close()
})
