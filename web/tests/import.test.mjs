import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until } from './support.mjs'

const { web, page } = await office()

const total = async () => (await (await page.context().request.get('/api/v1/contacts?limit=1')).json()).meta.total

/** Ten thousand people; every hundredth has an email address that is none. */
function people() {
  const rows = ['First Name;Surname;E-Mail;Employer;Shoe size']
  for (let at = 1; at <= 10_000; at++)
    rows.push(`Person ${at};"Family; ${at}";${at % 100 === 0 ? 'nobody' : `p${at}@example.com`};Firm ${at % 50};42`)
  return Buffer.from(rows.join('\r\n'))
}

test('a CSV of 10,000 rows with mistakes is checked, brought in and taken back', async () => {
  await page.goto('/import')
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: people() })
  const becomes = (column) => page.getByRole('combobox', { name: `Column ${column} becomes` })
  await becomes('First Name').waitFor()
  assert.equal(await becomes('First Name').inputValue(), 'First name')
  assert.equal(await becomes('Surname').inputValue(), 'Last name')
  assert.equal(await becomes('E-Mail').inputValue(), 'Email')
  assert.equal(await becomes('Employer').inputValue(), 'Company')
  assert.equal(await becomes('Shoe size').inputValue(), '')

  await page.getByRole('button', { name: 'Check the file first' }).click()
  const numbers = page.getByTestId('import-numbers')
  await page.getByRole('button', { name: 'Import 9,900 rows' }).waitFor({ timeout: 60_000 })
  assert.match(await numbers.innerText(), /9,900\s*Would be added/)
  assert.match(await numbers.innerText(), /100\s*With mistakes/)
  await page.getByText('is not an email address').first().waitFor()
  assert.equal(await total(), 0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the mistakes' }).click(),
  ])
  assert.match(file.suggestedFilename(), /errors\.csv$/)

  await page.getByRole('button', { name: 'Import 9,900 rows' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).waitFor({ timeout: 60_000 })
  assert.equal(await total(), 9900)
  const earlier = page.locator('section').filter({ hasText: 'Earlier imports' })
  await earlier.getByText('Completed').waitFor()

  // It deletes, so it asks first.
  const status = async () => (await read(page, '/imports?limit=1&dry_run=false'))[0].status
  page.once('dialog', (dialog) => dialog.dismiss())
  await page.getByRole('button', { name: 'Undo this import' }).click()
  assert.equal(await status(), 'completed')
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await until(async () => (await total()) === 0, 'all are gone again', 60_000)
  await page.getByText('Removed').waitFor()
  assert.deepEqual(web.troubles, [])
})
