import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until } from './support.mjs'

const { web, page } = await office()

const total = async () => (await (await page.context().request.get('/api/v1/contacts?limit=1')).json()).meta.total

/** Ten thousand people; every hundredth has an invalid email address. */
function people() {
  const rows = ['First Name;Surname;E-Mail;Employer;Shoe size']
  for (let at = 1; at <= 10_000; at++)
    rows.push(`Person ${at};"Family; ${at}";${at % 100 === 0 ? 'nobody' : `p${at}@example.com`};Firm ${at % 50};42`)
  return Buffer.from(rows.join('\r\n'))
}

test('a CSV of 10,000 rows with errors is checked, imported and undone', async () => {
  await page.goto('/import')
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: people() })
  const becomes = (column) => page.getByRole('combobox', { name: `Column ${column} becomes` })
  await becomes('First Name').waitFor()
  assert.equal(await becomes('First Name').inputValue(), 'First name')
  assert.equal(await becomes('Surname').inputValue(), 'Last name')
  assert.equal(await becomes('E-Mail').inputValue(), 'Email')
  assert.equal(await becomes('Employer').inputValue(), 'Company')
  assert.equal(await becomes('Shoe size').inputValue(), '')
  assert.equal(await page.getByTestId('not-imported').innerText(), 'This column is not imported: Shoe size.')
  await page.getByText(/people\.csv, .*, about [\d,]+ rows/).waitFor()

  await page.getByRole('button', { name: 'Preview import' }).click()
  const numbers = page.getByTestId('import-numbers')
  await page.getByRole('button', { name: 'Import 9,900 rows' }).waitFor({ timeout: 60_000 })
  assert.match(await numbers.innerText(), /9,900\s*Would be added/)
  assert.match(await numbers.innerText(), /100\s*With errors/)
  await page.getByText('is not an email address').first().waitFor()
  assert.equal(await total(), 0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download errors' }).click(),
  ])
  assert.match(file.suggestedFilename(), /errors\.csv$/)

  await page.getByRole('button', { name: 'Import 9,900 rows' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).waitFor({ timeout: 300_000 })
  assert.equal(await total(), 9900)
  const earlier = page.locator('section').filter({ hasText: 'Earlier imports' })
  await earlier.getByText('Completed').waitFor()

  // Undo deletes records, so it asks first.
  const status = async () => (await read(page, '/imports?limit=1&dry_run=false'))[0].status
  const question = page.getByRole('dialog', { name: 'Undo this import?' })
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await question.getByText('Records that it added are deleted').waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  assert.equal(await status(), 'completed')
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await question.getByRole('button', { name: 'Undo import' }).click()
  await until(async () => (await total()) === 0, 'all are gone again', 60_000)
  await page.getByText('Removed').waitFor()
  assert.deepEqual(web.troubles, [])
})

/** Imports a file in the dashboard as proposed; returns the mapping that was sent. */
async function importAsProposed(file) {
  const previews = []
  const count = (request) => request.url().endsWith('/imports/preview') && previews.push(request)
  page.on('request', count)
  await page.goto('/import')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Import now' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).waitFor({ timeout: 60_000 })
  page.off('request', count)
  assert.equal(previews.length, 1)
  return (await read(page, '/imports?limit=1&dry_run=false'))[0].mapping
}

test('a Windows-1252 file keeps its accents and its opt-outs', async () => {
  const rows = ['Prénom;Nom;E-Mail;Unsubscribed', 'Zoé;Müller;zoe@example.com;yes', 'Émile;Zola;emile@example.com;no']
  const buffer = Buffer.from(rows.join('\r\n'), 'latin1')
  const mapping = await importAsProposed({ name: 'people.csv', mimeType: 'text/csv', buffer })
  const proposal = { Prénom: 'first_name', Nom: 'last_name', 'E-Mail': 'email', Unsubscribed: 'do_not_contact' }
  assert.deepEqual(mapping, proposal)
  const [zoe, emile] = await read(page, '/contacts?sort=last_name&limit=10')
  assert.deepEqual([zoe.first_name, zoe.last_name, zoe.do_not_contact], ['Zoé', 'Müller', true])
  assert.deepEqual([emile.first_name, emile.last_name, emile.do_not_contact], ['Émile', 'Zola', false])
  // The same file through the API without a mapping gives the same contacts.
  const body = {
    options: JSON.stringify({ collection: 'contacts', match_on: 'email' }),
    file: { name: 'people.csv', mimeType: 'text/csv', buffer },
  }
  const { origin } = new URL(page.url())
  const answer = await page.context().request.post('/api/v1/imports', { multipart: body, headers: { origin } })
  assert.equal(answer.status(), 202)
  const { id } = (await answer.json()).data
  const again = await until(async () => {
    const run = await read(page, `/imports/${id}`)
    return run.status === 'completed' && run
  }, 'the second import ends')
  assert.deepEqual([again.mapping, again.skipped, again.failed], [proposal, 2, 0])
})

test('choices that differ from the proposal are offered again', async () => {
  const file = (name) => ({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`First name,Motto,Nickname\n${name},Onward,${name[0]}\n`),
  })
  const becomes = (column) => page.getByRole('combobox', { name: `Column ${column} becomes` })
  await page.goto('/import')
  await page.locator('input[type=file]').setInputFiles(file('Grace'))
  await becomes('Motto').click()
  await page.getByRole('option', { name: 'Summary' }).click()
  assert.equal(await page.getByTestId('not-imported').innerText(), 'This column is not imported: Nickname.')
  await page.getByRole('button', { name: 'Import now' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).waitFor({ timeout: 60_000 })
  const mapping = await importAsProposed(file('Joan'))
  assert.deepEqual(mapping, { 'First name': 'first_name', Motto: 'summary', Nickname: null })
  assert.deepEqual(web.troubles, [])
})

test('a file that is not a table is refused with a reason', async () => {
  await page.goto('/import')
  const buffer = Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8, 0])
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByText('is not a text file').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Import now' }).count(), 0)
})
