// Texts with formatting: in messages, replies, templates and steps of sequences.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write, written } from './support.mjs'

const { server, web, page } = await office()
let ada

before(async () => {
  const [, smtp, imap, chat, token] = await server.beside(
    ['sandbox'],
    /smtp (\S+)\nimap (\S+)[\s\S]*chat (\S+) (\S+)\n[\s\S]*ready/,
  )
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  server.run('accounts', 'add', '--provider', 'chat', '--name', 'Chat', '--url', chat, '--token', token)
  ada = await write(page, 'POST', '/contacts', {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.com',
    phone: '+3225550100',
  })
})

const dialog = () => page.getByRole('dialog', { name: 'Message to Ada Example' })
const text = () => dialog().getByRole('textbox', { name: 'Message' })
const tool = (name) => page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true })
const drafts = () => read(page, '/message-drafts')
/** Waits until the draft on the server has this content. */
const kept = async (content) => {
  const now = async () => (await drafts())[0]?.content
  await until(async () => (await now()) === content, 'the draft is kept').catch(async () => {
    assert.equal(await now(), content)
  })
}
const openAgain = async () => {
  await page.goto(`/contacts/${ada.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await dialog().waitFor()
}
/** The composer without the draft of an earlier test, once its editor is loaded. */
const open = async (subject) => {
  await page.goto(`/contacts/${ada.id}`)
  for (const draft of await drafts()) await write(page, 'DELETE', `/message-drafts/${draft.id}`)
  await openAgain()
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  if (subject) await dialog().getByLabel('Subject').fill(subject)
  await text().focus()
}
const send = () => dialog().getByRole('button', { name: 'Send', exact: true }).click()
const sent = (subject) =>
  until(async () => (await read(page, '/messages?direction=outbound')).find((one) => one.subject === subject), subject)
const type = (letters) => page.keyboard.type(letters)
const press = async (...keys) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** The editor hears of a selection by the keyboard when it is drawn. */
const drawn = () =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
const paste = (field, data) =>
  field.evaluate((one, given) => {
    const clipboard = new DataTransfer()
    for (const [format, value] of Object.entries(given)) clipboard.setData(format, value)
    one.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }))
  }, data)

test('a formatted message is sent as HTML with a text part', async () => {
  await open('Formatted')
  await type('Dear Ada,')
  await press('Enter', 'Enter')
  await type('this is ')
  await press('Control+b')
  await type('bold')
  await press('Control+b')
  await type(', ')
  await press('Control+i')
  await type('slanted')
  await press('Control+i')
  await type(' and ')
  await press('Control+u')
  await type('underlined')
  await press('Control+u')
  await type(' & <more>:')
  await press('Enter')
  await tool('Bullet list').click()
  await until(async () => (await tool('Bullet list').getAttribute('aria-pressed')) === 'true', 'the button is marked')
  await type('One')
  await press('Enter')
  await type('Two')
  await press('Enter', 'Enter')
  await tool('Numbered list').click()
  await type('First')
  await press('Enter', 'Enter')
  await tool('Quote').click()
  await type('Their words')
  const html =
    '<p>Dear Ada,</p><p>this is <strong>bold</strong>, <em>slanted</em> and <u>underlined</u> &amp; &lt;more&gt;:</p>' +
    '<ul><li>One</li><li>Two</li></ul><ol><li>First</li></ol><blockquote><p>Their words</p></blockquote>'
  await kept(html)
  await press('Control+Enter')
  await page.getByText('Your message will be sent in a moment').waitFor()
  const message = await sent('Formatted')
  assert.equal(message.html, html)
  assert.match(message.content, /^Dear Ada,\n\nthis is bold, slanted and underlined & <more>:\n/)
  assert.match(message.content, /\n\S One\n\S Two\n/)
  assert.match(message.content, /\n1\. First\n/)
  assert.match(message.content, /\n> Their words$/)
  assert.deepEqual(await drafts(), [])
})

test('a text without formatting is sent as plain text, letter by letter', async () => {
  await open('Plain')
  const lines = '- one\n> two & <three>\n\n\n  indented: https://example.com **no** `code`\n1. last'
  for (const [at, line] of lines.split('\n').entries()) {
    if (at > 0) await press('Enter')
    await type(line)
  }
  await kept(lines)
  // What was formatted and is not any more is plain again.
  await press('Control+a', 'Control+b')
  await kept(
    '<p><strong>- one</strong><br><strong>&gt; two &amp; &lt;three&gt;</strong></p><p><br></p>' +
      '<p><strong>&nbsp; indented: https://example.com **no** `code`</strong><br><strong>1. last</strong></p>',
  )
  await tool('Clear formatting').click()
  await kept(lines)
  await send()
  const message = await sent('Plain')
  assert.deepEqual([message.content, message.html], [lines, null])
  // A text that only looks like HTML is not taken for it.
  await open('Looks like it')
  await type('<b>not bold</b>')
  await send()
  const other = await sent('Looks like it')
  assert.deepEqual([other.content, other.html], ['<b>not bold</b>', '<p>&lt;b&gt;not bold&lt;/b&gt;</p>'])
})

test('a link gets a checked address, is changed and removed, all from the keyboard', async () => {
  await open('Links')
  await type('See the offer')
  await press('Control+Shift+ArrowLeft')
  await drawn()
  await press('Control+k')
  const address = page.getByLabel('Link to')
  await until(() => address.evaluate((one) => one === document.activeElement), 'the address has the focus')
  for (const wrong of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'offer',
    '',
  ]) {
    await address.fill(wrong)
    await press('Enter')
    await page.getByText(/^Enter the address of a page/).waitFor()
    assert.equal(await address.getAttribute('aria-invalid'), 'true')
    await address.fill('x')
    await page.getByText(/^Enter the address of a page/).waitFor({ state: 'detached' })
  }
  // Escape closes this window alone.
  await press('Escape')
  await address.waitFor({ state: 'detached' })
  await until(() => text().evaluate((one) => one === document.activeElement), 'the text has the focus')
  await kept('See the offer')
  await press('Control+k')
  await address.fill('example.com/offer?a=1&b="2"')
  await press('Enter')
  await address.waitFor({ state: 'detached' })
  const quoted = 'https://example.com/offer?a=1&amp;b=&quot;2&quot;'
  await kept(`<p>See the <a href="${quoted}">offer</a></p>`)
  await until(() => text().evaluate((one) => one === document.activeElement), 'the text has the focus again')
  await press('ArrowRight')
  await drawn()
  await type(' or write to ')
  await press('Control+k')
  await address.fill('grace@example.com')
  await press('Enter')
  await address.waitFor({ state: 'detached' })
  await type('!')
  const mail = '<a href="mailto:grace@example.com">grace@example.com</a>!'
  await kept(`<p>See the <a href="${quoted}">offer</a> or write to ${mail}</p>`)
  // The cursor is in the first link.
  await press('Home')
  for (let i = 0; i < 10; i++) await press('ArrowRight')
  await until(async () => (await tool('Link').getAttribute('aria-pressed')) === 'true', 'the button is marked')
  await press('Control+k')
  await until(async () => (await address.inputValue()).startsWith('https://example.com/offer'), 'it can be changed')
  await address.fill('https://example.org')
  await press('Enter')
  await kept(`<p>See the <a href="https://example.org">offer</a> or write to ${mail}</p>`)
  await press('Control+k')
  await page.getByRole('button', { name: 'Remove link' }).press('Enter')
  await kept(`<p>See the offer or write to ${mail}</p>`)
  // The search is not opened by the same keys.
  assert.equal(await page.getByPlaceholder(/Search people/).count(), 0)
  await send()
  const message = await sent('Links')
  assert.match(message.html, /<a href="mailto:grace@example.com"/)
  assert.match(message.content, /^See the offer or write to grace@example\.com/)
})

const HOSTILE = `<meta charset="utf-8"><style>p{color:red}</style><script>document.title='run'</script>
<p style="color:red" class="big" onclick="document.title='run'">Dear <span style="font-size:40px">Ada</span>,</p>
<p>an <b style="font-weight:700" id="x">important</b> <img src="https://example.com/pixel.png" onerror="document.title='run'"><a
href="javascript:document.title='run'">trap</a>, <a href="https://example.com/page" target="_blank" style="color:red" onclick="x()">page</a></p>
<table><tr><td>Cell</td></tr></table><iframe src="https://example.com/frame"></iframe><form><input value="typed"></form>
<h1>Heading</h1><ul><li><p>Item</p></li></ul><svg onload="document.title='run'"><text>Drawn</text></svg>`

test('pasted text keeps its structure and loses everything else', async () => {
  await open('Pasted')
  const asked = []
  const listen = (request) => asked.push(request.url())
  page.on('request', listen)
  await paste(text(), { 'text/html': HOSTILE, 'text/plain': 'Dear Ada' })
  await until(async () => (await written(text())).includes('Item'), 'it is pasted')
  const [draft] = await until(async () => ((await drafts()).length === 1 ? drafts() : false), 'it is kept')
  page.off('request', listen)
  const { content } = draft
  assert.equal(
    content,
    '<p>Dear Ada,</p><p>an <strong>important</strong> trap, <a href="https://example.com/page">page</a><br>Cell<br>Heading</p>' +
      '<ul><li>Item</li></ul>',
  )
  const shown = await text().evaluate((one) => one.outerHTML)
  assert.doesNotMatch(shown, /javascript|pixel|onclick|onerror|color:/)
  assert.deepEqual(
    asked.filter((url) => url.includes('example.com')),
    [],
  )
  assert.notEqual(await page.title(), 'run')
  // Lines of a plain text stay lines, also those that are empty.
  await press('Control+a', 'Delete')
  await paste(text(), { 'text/plain': 'One\n\nTwo <b>\r\nThree' })
  await kept('One\n\nTwo <b>\nThree')
  // Dictation inserts lines, too.
  await press('Control+a')
  await page.keyboard.insertText('Four\n\nFive')
  await kept('Four\n\nFive')
  assert.equal(await text().locator('p').count(), 3)
})

test('a draft keeps its formatting after a reload and in another browser', async () => {
  await open('Unfinished')
  await type('Two  spaces, ')
  await press('Control+b')
  await type('bold')
  await press('Enter')
  await type('same paragraph')
  await press('Enter', 'Enter', 'Enter')
  await type('after two blank lines')
  const html =
    '<p>Two&nbsp; spaces, <strong>bold</strong><br><strong>same paragraph</strong></p><p><br></p>' +
    '<p><strong>after two blank lines</strong></p>'
  await kept(html)
  await page.reload()
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  await text().locator('strong').first().waitFor()
  const lines = 'Two  spaces, bold\nsame paragraph\n\n\nafter two blank lines'
  assert.equal(await written(text()), lines)
  const other = await web.open({ storageState: await web.context.storageState() })
  await other.page.goto(`/contacts/${ada.id}`)
  await other.page.getByRole('button', { name: 'Message', exact: true }).click()
  const there = other.page.getByRole('textbox', { name: 'Message' })
  await there.locator('strong').first().waitFor()
  assert.equal(await written(there), lines)
  await other.context.close()
  assert.deepEqual(other.troubles, [])
  // Opening it changes nothing, and what is typed then is added.
  await text().focus()
  await press('Control+End')
  await type('!')
  await kept(html.replace('lines</strong>', 'lines!</strong>'))
  await press('Control+z')
  await kept(html)
})

test('a template is written with formatting, previewed, and chosen with it', async () => {
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'New template' }).click()
  const form = page.getByRole('dialog', { name: 'New template' })
  await form.getByLabel('Name').fill('Formatted')
  await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  const field = form.getByRole('textbox', { name: 'Text' })
  await field.focus()
  await press('Control+b')
  await type('Dear ')
  await form.getByRole('button', { name: 'Variable' }).click()
  await page.keyboard.type('last')
  await press('Enter')
  await until(async () => (await written(field)) === 'Dear {{ last_name }}', 'it is at the cursor')
  await until(() => field.evaluate((one) => one === document.activeElement), 'the text has the focus')
  await press('Enter')
  await type('{% if title and 2 > 1 %}{{ title }}{% else %}friend{% endif %}')
  await form.getByRole('combobox', { name: 'Preview as' }).click()
  await page.getByRole('option', { name: /Ada Example/ }).click()
  const preview = form.locator('iframe[title=Preview]').contentFrame()
  await preview.getByText('Dear Example', { exact: true }).waitFor()
  await preview.getByText('friend').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const [template] = await read(page, '/message-templates?name=Formatted')
  assert.match(template.content, /^<p><strong>Dear \{\{ last_name \}\}<\/strong><br><strong>\{% if title and 2 > 1 %\}/)
  assert.deepEqual(template.variables, ['last_name', 'title'])
  // In a message it goes below the text that is there.
  await open('From a template')
  await type('Good morning')
  await dialog().getByRole('button', { name: 'Template' }).click()
  await page.getByRole('option', { name: /Formatted/ }).click()
  await kept('<p>Good morning</p><p><strong>Dear Example</strong><br><strong>friend</strong></p>')
  await type('!')
  await dialog().getByRole('button', { name: 'Variable' }).click()
  await page.keyboard.type('company')
  await press('Escape')
  await send()
  const message = await sent('From a template')
  assert.match(message.html, /<strong>Dear Example<\/strong>/)
  assert.match(message.content, /^Good morning\n\nDear Example\nfriend!/)
})

test('HTML that the editor can’t show is edited as source, and simplified after a question', async () => {
  const foreign = '<table><tr><td><b>Day</b></td></tr></table><p style="color:red">Hello</p>'
  await open()
  await write(page, 'POST', '/message-drafts', { contact_id: ada.id, content: foreign })
  await openAgain()
  await until(async () => (await written(text())) === foreign, 'it is shown as source')
  await dialog().getByText('This text is sent as HTML.').waitFor()
  assert.equal(await page.getByRole('toolbar', { name: 'Formatting' }).count(), 0)
  const back = dialog().getByRole('button', { name: 'Back to formatted text' })
  await back.click()
  await page.getByRole('button', { name: 'Keep HTML' }).click()
  assert.equal(await written(text()), foreign)
  await back.click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await kept('<p><strong>Day</strong><br>Hello</p>')
  await tool('Edit HTML').click()
  await until(async () => (await written(text())) === '<p><strong>Day</strong><br>Hello</p>', 'the source is shown')
  await text().fill('<p><em>Night</em></p>')
  await back.click()
  await text().locator('em').waitFor()
  assert.equal(await written(text()), 'Night')
})

test('a channel without HTML has a plain text', async () => {
  await open('By chat')
  await type('Points:')
  await press('Enter')
  await tool('Numbered list').click()
  await type('One')
  await press('Enter')
  await press('Control+b')
  await type('Two')
  await dialog().getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'Chat' }).click()
  await until(async () => (await written(text())) === 'Points:\n1. One\n2. Two', 'the text is plain')
  assert.equal(await page.getByRole('toolbar', { name: 'Formatting' }).count(), 0)
  // The formatting is there again with the first channel.
  await dialog().getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'Email' }).click()
  await text().locator('ol strong').waitFor()
  await dialog().getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'Chat' }).click()
  await send()
  await page.getByText('Your message will be sent in a moment').waitFor()
  const [message] = await read(page, '/messages?direction=outbound&channel=chat')
  assert.deepEqual([message.content, message.html], ['Points:\n1. One\n2. Two', null])
})

test('everything is done from the keyboard', async () => {
  await open()
  await dialog().getByLabel('Subject').fill('By keyboard')
  await press('Tab')
  await until(() => text().evaluate((one) => one === document.activeElement), 'the text comes after the subject')
  await type('First')
  await press('Tab')
  await until(() => tool('Bold').evaluate((one) => one === document.activeElement), 'then the toolbar')
  await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'Space')
  // The focus is in the text again, and the line is an item.
  await until(() => text().evaluate((one) => one === document.activeElement), 'the focus is in the text')
  await press('Enter')
  await type('Second')
  await press('Control+]')
  // Tab leaves a list.
  await press('Tab', 'ArrowLeft')
  await until(() => tool('Edit HTML').evaluate((one) => one === document.activeElement), 'arrows go around')
  await press('Shift+Tab', 'Shift+Tab')
  await until(() => tool('Link').evaluate((one) => one === document.activeElement), 'and so does Tab')
  await text().focus()
  await press('Control+Enter')
  const message = await sent('By keyboard')
  assert.equal(message.html, '<ul><li>First<ul><li>Second</li></ul></li></ul>')
})

test('a reply is formatted', async () => {
  const message = await sent('Formatted')
  await page.goto(`/inbox?open=${message.conversation_id}`)
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await page.locator('body').press('r')
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await until(() => reply.evaluate((one) => one === document.activeElement), 'R goes to the reply')
  await type('Not ')
  await tool('Italic').click()
  await type('yet')
  await press('Control+Enter')
  await page.locator('iframe[title="Re: Formatted"]').contentFrame().locator('em').getByText('yet').waitFor()
  await until(async () => (await written(reply)) === '', 'the reply is empty')
  const [last] = await read(page, `/conversations/${message.conversation_id}/messages?direction=outbound&sort=-sent_at`)
  const all = await read(page, `/conversations/${message.conversation_id}/messages?direction=outbound`)
  assert.ok([last, ...all].some((one) => one.html === '<p>Not <em>yet</em></p>' && one.content === 'Not yet'))
})

test('the step of a sequence is formatted, other steps are not', async () => {
  const { id } = await write(page, 'POST', '/sequences', {
    name: 'Mails',
    steps: [
      { type: 'email', subject: 'Hello', body: '<p>Dear <strong>{{ first_name }}</strong></p>' },
      { type: 'call', body: 'Ask' },
    ],
  })
  await page.goto(`/sequences/${id}?open=steps`)
  const field = page.getByRole('textbox', { name: 'Text', exact: true })
  await field.locator('strong').waitFor()
  // Nothing is changed by looking at it.
  assert.equal(await page.getByRole('button', { name: 'Save steps' }).isDisabled(), true)
  await field.focus()
  await press('Control+End')
  await type(', ')
  await press('Control+k')
  await page.getByLabel('Link to').fill('{{ unsubscribe_url }}')
  await press('Enter')
  await page.getByRole('combobox', { name: 'Preview as' }).click()
  await page.getByRole('option', { name: /Ada Example/ }).click()
  const preview = page.locator('iframe[title=Preview]').contentFrame()
  await preview.locator('strong').getByText('Ada').waitFor()
  await page.getByRole('button', { name: 'Save steps' }).click()
  await page.getByText('Steps saved').first().waitFor()
  const [step] = (await read(page, `/sequences/${id}`)).steps
  assert.equal(
    step.body,
    '<p>Dear <strong>{{ first_name }}, </strong><a href="{{ unsubscribe_url }}">{{ unsubscribe_url }}</a></p>',
  )
  await page.getByRole('button', { name: /^Call/ }).first().click()
  await until(async () => (await written(field)) === 'Ask', 'the call is shown')
  assert.equal(await page.getByRole('toolbar', { name: 'Formatting' }).count(), 0)
})

test('the editor is accessible, also on a phone and in the dark', async () => {
  await write(page, 'POST', '/message-drafts', {
    contact_id: ada.id,
    content:
      '<p>Dear <strong>Ada</strong></p><blockquote><p>see <a href="https://example.com">this</a></p></blockquote>',
  })
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  await other.page.goto(`/contacts/${ada.id}`)
  await other.page.getByRole('button', { name: 'Message', exact: true }).click()
  await other.page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  assert.deepEqual(await hindrances(other.page), [])
  await other.page.setViewportSize({ width: 1280, height: 800 })
  await other.page.getByRole('button', { name: 'Link', exact: true }).click()
  await other.page.getByLabel('Link to').waitFor()
  assert.deepEqual(await hindrances(other.page), [])
  await other.context.close()
  // The browser reports the handlers in the pasted text, which it does not run.
  const troubles = [...other.troubles, ...web.troubles].filter((one) => !one.includes('inline event handler'))
  assert.deepEqual(troubles, [])
})
