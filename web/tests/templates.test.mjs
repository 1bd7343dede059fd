// Message templates and signatures in the settings.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write, written } from './support.mjs'

const { server, web, page } = await office()
let account

before(async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  ;[account] = await read(page, '/connected-accounts')
  await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' })
})

const templates = () => read(page, '/message-templates')
const dialog = (name) => page.getByRole('dialog', { name })

test('a template is written with variables, previewed for a contact and shared', async () => {
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'New template' }).click()
  const form = dialog('New template')
  await form.getByLabel('Name').fill('Introduction')
  await form.getByLabel('Subject').fill('Hello {{ first_name }}')
  const text = form.getByRole('textbox', { name: 'Text' })
  await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await text.fill('Dear , a {{ title }}')
  // The editor may still be busy with the text when the first keys arrive.
  await until(async () => {
    await text.press('Home')
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(200)
    return (await text.evaluate(() => document.getSelection().anchorOffset)) === 5
  }, 'the cursor is behind the first word')
  await form.getByRole('button', { name: 'Variable' }).click()
  await page.getByRole('option', { name: /Last name/ }).waitFor()
  // Escape closes the list alone.
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  await form.getByRole('button', { name: 'Variable' }).click()
  await page.keyboard.type('last')
  await page.keyboard.press('Enter')
  await until(async () => (await written(text)) === 'Dear {{ last_name }}, a {{ title }}', 'it is at the cursor')
  await form.getByRole('combobox', { name: 'Preview as' }).click()
  await page.getByRole('option', { name: /Ada Example/ }).click()
  await form.getByText('Ada Example has no value for: Title').waitFor()
  await text.fill('Dear {{ last_name }}, a {{ title | default("friend") }}')
  await form.getByTestId('preview').getByText('Dear Example, a friend').waitFor()
  await form.getByTestId('preview').getByText('Hello Ada').waitFor()
  await form.getByRole('switch', { name: 'Shared with all members' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const [stored] = await templates()
  assert.deepEqual(
    [stored.name, stored.subject, stored.content, stored.shared],
    ['Introduction', 'Hello {{ first_name }}', 'Dear {{ last_name }}, a {{ title | default("friend") }}', true],
  )
})

test('variables with a brace too few get a warning in templates and messages', async () => {
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'New template' }).click()
  const form = dialog('New template')
  await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await form.getByLabel('Subject').fill('Hello {first_name}')
  const lacks = 'has a brace too few and is sent as it is written'
  await form
    .getByRole('status')
    .filter({ hasText: `Subject: “first_name” ${lacks}` })
    .waitFor()
  await form.getByRole('textbox', { name: 'Text' }).fill('Dear {{ last_name }')
  await form
    .getByRole('status')
    .filter({ hasText: `Text: “last_name” ${lacks}` })
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()

  const [ada] = await read(page, '/contacts')
  await page.goto(`/contacts/${ada.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  const message = page.getByRole('dialog', { name: /^Message to/ })
  await message.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  // Only sequences have a project.
  await message.getByRole('textbox', { name: 'Message' }).fill('About {project.name}, {{ first_name }')
  await message
    .getByRole('status')
    .filter({ hasText: `Message: “first_name” ${lacks}` })
    .waitFor()
  await message.getByRole('textbox', { name: 'Message' }).fill('Dear {{ first_name }}')
  await until(async () => (await message.getByText(/brace too few/).count()) === 0, 'the warning is gone')
  await message.getByRole('button', { name: 'Discard draft' }).click()
})

test('a variable goes into the field where the cursor was last, also into the subject', async () => {
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'New template' }).click()
  const form = dialog('New template')
  const subject = form.getByLabel('Subject')
  const text = form.getByRole('textbox', { name: 'Text' })
  await text.fill('Text')
  await subject.fill('For ')
  await form.getByRole('button', { name: 'Variable' }).click()
  await page.getByRole('option', { name: /Last name/ }).click()
  await until(async () => (await subject.inputValue()) === 'For {{ last_name }}', 'it is in the subject')
  assert.equal(await written(text), 'Text')
  await until(() => subject.evaluate((one) => one === document.activeElement), 'and so is the cursor')
  await page.keyboard.type('!')
  await text.focus()
  await page.keyboard.press('End')
  await form.getByRole('button', { name: 'Variable' }).press('Enter')
  // A person begins to type when the menu is there, and chooses what it shows.
  await until(() => page.evaluate(() => document.activeElement?.tagName === 'INPUT'), 'the search of the menu')
  await page.keyboard.type('last name')
  await until(async () => (await page.getByRole('option').count()) === 1, 'the only variable')
  await page.keyboard.press('Enter')
  await until(async () => (await written(text)) === 'Text{{ last_name }}', 'it is in the text')
  assert.equal(await subject.inputValue(), 'For {{ last_name }}!')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('the preview suggests the same name first, then names that begin with it', async () => {
  const add = (first_name, last_name, more) => write(page, 'POST', '/contacts', { first_name, last_name, ...more })
  await add('Lin', 'Berg')
  await add('Lina', 'Example')
  await add('Berlinda', 'Example')
  // More contacts of other names than the list shows, changed later.
  for (let number = 0; number < 22; number++) await add(`Person ${number}`, 'Example', { title: 'Berlin' })
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'New template' }).click()
  await dialog('New template').getByRole('combobox', { name: 'Preview as' }).fill('lin')
  const names = () => page.getByRole('option').allInnerTexts()
  await until(async () => (await names()).slice(0, 2).sort().join() === 'Lin Berg,Lina Example', 'names come first')
  await dialog('New template').getByRole('combobox', { name: 'Preview as' }).fill('lina example')
  await until(async () => (await names())[0] === 'Lina Example', 'the whole name')
})

test('the server’s problem with a template is shown at its field', async () => {
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'Edit Introduction' }).click()
  const form = dialog('Edit Introduction')
  const text = form.getByRole('textbox', { name: 'Text' })
  await text.fill('Dear {{ frst_name }}')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/^There is no frst_name/).waitFor()
  assert.equal(await text.getAttribute('aria-invalid'), 'true')
  // The problem stays while another field is changed, and goes when its own is.
  await form.getByLabel('Subject').fill('Hello')
  assert.equal(await text.getAttribute('aria-invalid'), 'true')
  await text.fill('Dear {{ first_name }}')
  await until(async () => (await text.getAttribute('aria-invalid')) !== 'true', 'the mark is gone')
  assert.equal(await form.getByText(/There is no frst_name/).count(), 0)
  await form.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await templates())[0].content === 'Dear {{ first_name }}', 'it is changed')
})

test('a template is duplicated, and deleted after a question', async () => {
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'Duplicate Introduction' }).click()
  await page.getByRole('button', { name: 'Edit Introduction (copy)' }).waitFor()
  const copy = (await templates()).find((one) => one.name === 'Introduction (copy)')
  assert.equal(copy.shared, false)
  await page.getByRole('button', { name: 'Delete Introduction (copy)' }).click()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await until(async () => (await templates()).length === 1, 'it is gone')
})

test('a signature is formatted, previewed, changed and removed', async () => {
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Signature' }).click()
  const form = dialog('Signature of Office')
  const text = form.getByRole('textbox', { name: 'Signature' })
  await form.getByText('No signature').waitFor()
  await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await text.click()
  await page.keyboard.type('Olive Owner')
  await page.keyboard.press('Enter')
  await page.keyboard.type('https://example.com')
  await form.getByRole('note', { name: 'Signature' }).getByRole('link', { name: 'https://example.com' }).waitFor()
  const save = () => form.getByRole('button', { name: 'Save' }).click()
  const signature = async () => (await read(page, `/connected-accounts/${account.id}`)).signature
  await save()
  await form.waitFor({ state: 'detached' })
  // What is not formatted stays plain text.
  assert.equal(await signature(), 'Olive Owner\nhttps://example.com')

  await page.getByRole('button', { name: 'Signature' }).click()
  await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await text.click()
  await page.keyboard.press('Control+Home')
  for (let letter = 0; letter < 5; letter += 1) await page.keyboard.press('Shift+ArrowRight')
  await form.getByRole('button', { name: 'Bold' }).click()
  const preview = form.locator('iframe[title=Signature]').contentFrame()
  await until(async () => (await preview.locator('strong').innerText()) === 'Olive', 'the preview is formatted')
  await save()
  await form.waitFor({ state: 'detached' })
  assert.match(await signature(), /^<p><strong>Olive<\/strong> Owner<br>.*https:\/\/example\.com.*<\/p>$/)

  await page.getByRole('button', { name: 'Signature' }).click()
  await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  assert.match(await written(text), /^Olive Owner/)
  await text.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await save()
  await until(async () => !(await signature()), 'it is removed')
})

test('HTML that the editor can’t show is edited as it is', async () => {
  const html = '<table><tr><td>Olive</td></tr></table>'
  await write(page, 'PUT', `/dashboard/accounts/${account.id}`, { signature: html })
  await page.goto('/settings/accounts')
  await page.getByRole('button', { name: 'Signature' }).click()
  const form = dialog('Signature of Office')
  const text = form.getByRole('textbox', { name: 'Signature' })
  await form.getByText('This text is sent as HTML.').waitFor()
  assert.equal(await text.inputValue(), html)
  await text.fill(html.replace('Olive', 'Olive Owner'))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  assert.match((await read(page, `/connected-accounts/${account.id}`)).signature, /<td>Olive Owner<\/td>/)
})

test('both dialogs are accessible, also on a phone and in the dark', async () => {
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  for (const [path, button] of [
    ['/settings/messages', 'Edit Introduction'],
    ['/settings/accounts', 'Signature'],
  ]) {
    await other.page.setViewportSize({ width: 1280, height: 800 })
    await other.page.goto(path)
    await other.page.getByRole('button', { name: button }).click()
    await other.page.getByRole('dialog').waitFor()
    assert.deepEqual(await hindrances(other.page), [], path)
  }
  await other.context.close()
  assert.deepEqual([...other.troubles, ...web.troubles.filter((one) => !/status of 400/.test(one))], [])
})

test('all templates are listed and found, also those beyond the first hundred', async () => {
  for (let number = 1; number <= 120; number++) {
    const name = `Numbered ${String(number).padStart(3, '0')}`
    await write(page, 'POST', '/message-templates', { name, content: `Text ${number}` })
  }
  await page.goto('/settings/messages')
  await page.getByRole('button', { name: 'Edit Numbered 120' }).waitFor()
  const [ada] = await read(page, '/contacts?email=ada@example.com')
  await page.goto(`/contacts/${ada.id}`)
  await page.getByRole('button', { name: 'Message', exact: true }).click()
  const composer = dialog('Message to Ada Example')
  await composer.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await composer.getByRole('button', { name: 'Template' }).click()
  await page.getByRole('option', { name: /Numbered 001/ }).waitFor()
  await page.keyboard.type('ed 119')
  await until(async () => (await page.getByRole('option').count()) === 1, 'one template fits')
  await page.keyboard.press('Enter')
  const text = composer.getByRole('textbox', { name: 'Message' })
  await until(async () => (await written(text)) === 'Text 119', 'the template is filled in')
  await until(
    async () => (await read(page, '/message-drafts')).some((one) => one.content === 'Text 119'),
    'the draft is saved',
  )
})
