// Less common actions: other channels, documents, credits, companies, the removal of a workspace.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { OWNER, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
let folder
let ada

const SCRIPT = `
[[rules]]
channel = "network"
action = "reply"
after = 0.5
text = "Let us talk here."

[[rules]]
channel = "chat"
action = "reply"
after = 0.5
text = "Call me at noon."
`

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relata-corners-'))
  const script = join(folder, 'replies.toml')
  writeFileSync(script, SCRIPT)
  const [, network, chat, finder, token] = await server.beside(
    ['sandbox', '--script', script],
    /network (\S+) \S+\nchat (\S+) \S+\nenrichment (\S+) (\S+)[\s\S]*ready/,
  )
  const account = (provider, url) =>
    server.run('accounts', 'add', '--provider', provider, '--name', `Olive ${provider}`, '--url', url, '--token', token)
  account('network', network)
  account('chat', chat)
  const asked = `${finder}/index/find?first_name={first_name}&last_name={last_name}&company={company}`
  const provider = ['--name', 'Index', '--kind', 'json', '--url', asked, '--header', `X-API-Key: ${token}`]
  server.run('enrichment', 'add', ...provider, '--email-path', 'emails.*.address')
  ada = await write(page, 'POST', '/contacts', {
    first_name: 'Ada',
    last_name: 'Example',
    phone: '+33 1 23 45 67 89',
    network_profile: 'https://network.example.com/in/ada-example',
    current_company: 'Aster Labs',
  })
})

after(() => {
  rmSync(folder, { recursive: true, force: true })
})

for (const [channel, label, answer] of [
  ['network', 'Network', 'Let us talk here.'],
  ['chat', 'Chat', 'Call me at noon.'],
])
  test(`a message by ${channel} is written, and its answer arrives in the inbox`, async () => {
    await page.goto(`/contacts/${ada.id}`)
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Message to Ada Example' })
    await dialog.getByRole('combobox', { name: 'Channel' }).click()
    await page.getByRole('option', { name: label }).click()
    await dialog.getByLabel('Message').fill(`Hello by ${channel}`)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Your message will be sent in a moment').waitFor()
    await page.goto(`/inbox?channel=${channel}`)
    await page.getByRole('button', { name: /Ada Example/ }).click()
    const log = page.getByRole('log')
    await log.getByText(`Hello by ${channel}`).waitFor()
    await log.getByText(answer).waitFor({ timeout: 30_000 })
    await page.getByLabel('Reply').fill(`Gladly, by ${channel}.`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await until(async () => {
      const [conversation] = await read(page, `/conversations?channel=${channel}`)
      const messages = await read(page, `/conversations/${conversation.id}/messages`)
      return messages.some((one) => one.content === `Gladly, by ${channel}.` && one.status === 'sent')
    }, 'the reply is sent the same way')
  })

test('a CV that is a PDF is shown beside its contact', async () => {
  await page.goto(`/contacts/${ada.id}`)
  await page.getByRole('tab', { name: 'CV and files' }).click()
  await page.getByText('No CV').waitFor()
  const pdf = readFileSync(new URL('../../tests/files/pdf/libreoffice-en.pdf', import.meta.url))
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'ada.pdf', mimeType: 'application/pdf', buffer: pdf })
  const frame = page.locator('iframe[title=CV]')
  await frame.waitFor()
  assert.match(await frame.getAttribute('src'), /^blob:/)
  assert.equal((await read(page, `/contacts/${ada.id}/cv`)).content_type, 'application/pdf')
  // The browser's own viewer shows it: nothing was refused and nothing was downloaded instead.
  await until(async () => page.frames().some((one) => one.url().startsWith('blob:')), 'the frame holds the document')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No CV').waitFor()
})

test('a search in the profile database shows its cost and charges it', async () => {
  const file = join(folder, 'profiles.ndjson')
  const profile = (n) => ({
    profile_id: `p${n}`,
    first_name: 'Pat',
    last_name: `Profile ${n}`,
    location: 'Paris, France',
    skills: ['Weaving'],
    current_job: { title: 'Weaver', company_name: 'Looms' },
    emails: [`pat${n}@example.com`],
  })
  writeFileSync(file, Array.from({ length: 30 }, (_, n) => JSON.stringify(profile(n))).join('\n'))
  server.run('profiles', 'import', file)
  const project = await write(page, 'POST', '/projects', { name: 'Head of Looms' })
  await page.goto(`/sourcing?project_id=${project.id}`)
  await page.getByText('1,000 credits', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: /1 credit each/ }).click()
  await page.getByText('Each profile shown costs one credit: up to 25 of the 1000 you have.').waitFor()
  await page.getByRole('combobox', { name: 'Job titles' }).fill('Weaver')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Search for up to 25 credits' }).click()
  await page.getByText('25 credits used').waitFor()
  await page.getByText('975 credits', { exact: true }).waitFor()
  await page.getByLabel('Choose Pat Profile 3', { exact: true }).check()
  await page.getByRole('button', { name: 'Add 1 to project' }).click()
  await until(async () => (await read(page, `/projects/${project.id}/entries`)).length === 1, 'Pat is a candidate')
  await page.getByRole('button', { name: 'Show 25 more (up to 25 credits)' }).click()
  await page.getByText('970 credits', { exact: true }).waitFor()
  assert.equal((await read(page, '/me')).credits.sourcing, 970)
})

test('addresses are looked up for many contacts at once, and the queue shows the results', async () => {
  for (const first_name of ['Bea', 'Cleo'])
    await write(page, 'POST', '/contacts', { first_name, last_name: 'Seeker', current_company: 'Aster Labs' })
  await page.goto('/contacts?last_name=eq.Seeker')
  await page.getByRole('gridcell', { name: 'Cleo' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select the rows shown' }).check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Find' }).click()
  await page.getByRole('menuitem', { name: 'Email addresses' }).click()
  await page.getByText('Looking for emails: 2').waitFor()
  await page.goto('/enrichment?status=completed')
  await page.getByRole('link', { name: 'Bea Seeker' }).waitFor()
  await page.getByRole('link', { name: 'Cleo Seeker' }).waitFor()
  await until(
    async () => (await read(page, '/contacts?last_name=eq.Seeker')).every((one) => one.emails.length === 1),
    'both have an address',
  )
})

test('two companies are merged, and the merge is undone', async () => {
  for (const name of ['Aster Labs', 'Aster Labs Ltd'])
    await write(page, 'POST', '/companies', { name, domain: 'aster.example.com' })
  const both = async () => (await read(page, '/companies?domain=aster.example.com')).length
  await page.goto('/duplicates?of=companies')
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await until(async () => (await both()) === 1, 'one is left')
  assert.equal(new URL(page.url()).searchParams.get('of'), 'companies')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await both()) === 2, 'both are back')
})

test('companies are imported from a file, and the import is undone', async () => {
  const rows = [
    'Company;Domain;Industry',
    ...Array.from({ length: 40 }, (_, n) => `Firm ${n};firm${n}.example.com;Looms`),
  ]
  const total = async () => (await read(page, '/companies?name=like.Firm%25&limit=100')).length
  await page.goto('/import')
  await page.getByLabel('Records in the file').getByText('Companies').click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'firms.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  const becomes = (column) => page.getByRole('combobox', { name: `Column ${column} becomes` })
  await becomes('Company').waitFor()
  assert.equal(await becomes('Company').inputValue(), 'Name')
  await page.getByRole('button', { name: 'Preview import' }).click()
  await page.getByRole('button', { name: 'Import 40 rows' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).waitFor()
  assert.equal(await total(), 40)
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await until(async () => (await total()) === 0, 'all are gone again')
})

test('a file is kept with a project, and removed', async () => {
  const project = await write(page, 'POST', '/projects', { name: 'With files' })
  const kept = async () => (await read(page, `/projects/${project.id}/files`)).map((one) => one.filename)
  await page.goto(`/projects/${project.id}?open=about`)
  await page.getByRole('button', { name: 'Add files' }).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'brief.txt', mimeType: 'text/plain', buffer: Buffer.from('What we look for.') })
  await page.getByRole('link', { name: 'brief.txt' }).waitFor()
  assert.deepEqual(await kept(), ['brief.txt'])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'brief.txt' }).click(),
  ])
  assert.equal(readFileSync(await file.path(), 'utf8'), 'What we look for.')
  await page.getByRole('button', { name: 'Delete brief.txt' }).click()
  await until(async () => (await kept()).length === 0, 'it is gone')
})

test('a workspace is removed by typing its name, and the other one stays', async () => {
  server.run('workspace', 'create', '--name', 'Second', '--slug', 'second', '--owner', OWNER.email)
  await page.goto('/settings/workspace')
  const sure = page.getByRole('button', { name: 'Remove for good' })
  await page.getByLabel('Type its name to be sure').fill('Another')
  assert.equal(await sure.isDisabled(), true)
  await page.getByLabel('Type its name to be sure').fill('Example Search')
  await sure.click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(server.run('workspace', 'list').split('\n').length, 1)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.locator('input[type=password]').fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.getByText('Second', { exact: true }).waitFor()
  assert.equal((await read(page, '/contacts')).length, 0)
})

test('the console stayed quiet', () => {
  // The user is signed out after removing the workspace, which the browser reports, too.
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 401/.test(one)),
    [],
  )
})
