import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { web, page } = await office()

before(async () => {
  for (const [first_name, global_status, tags] of [
    ['Ada', 'new', ['Berlin', 'Board, non-executive']],
    ['Grace', 'new', ['Berlin']],
    ['Linus', 'qualified', []],
  ])
    await write(page, 'POST', '/contacts', { first_name, global_status, tags })
})

/** The lines of the table from top to bottom: the heads of sections, and the names in them. */
const lines = () =>
  page
    .getByRole('grid')
    .getByRole('row')
    .evaluateAll((rows) =>
      rows
        .filter((row) => row.ariaRowIndex)
        .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
        .map((row) => row.querySelector('button')?.innerText.trim().replace(/\s+/g, ' ')),
    )
const shows = (expected) =>
  until(async () => JSON.stringify(await lines()) === JSON.stringify(expected), `the table shows ${expected}`)

test('a table is grouped by a field, sections are folded by keyboard, and the address contains it', async () => {
  await page.goto('/contacts?sort=first_name')
  await page.getByRole('button', { name: 'Group' }).click()
  await page.getByRole('menuitem', { name: 'Status' }).click()
  await shows(['New 2', 'Ada', 'Grace', 'Qualified 1', 'Linus'])

  await page.getByRole('gridcell', { name: 'New 2' }).focus()
  await page.keyboard.press('Enter')
  await shows(['New 2', 'Qualified 1', 'Linus'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await until(async () => (await page.evaluate(() => document.activeElement.innerText)) === 'Linus', 'Linus is focused')
  await page.reload()
  await shows(['New 2', 'Qualified 1', 'Linus'])
  await page.getByRole('button', { name: 'New 2' }).click()
  await shows(['New 2', 'Ada', 'Grace', 'Qualified 1', 'Linus'])
})

test('a row that is changed goes to its section', async () => {
  await page.getByRole('row').filter({ hasText: 'Grace' }).locator('[data-key="global_status"]').dblclick()
  await page.getByRole('option', { name: 'Qualified' }).click()
  await until(
    async () => (await read(page, '/contacts?first_name=Grace'))[0].global_status === 'qualified',
    'the status is kept',
  )
  await shows(['New 1', 'Ada', 'Qualified 2', 'Grace', 'Linus'])
})

test('a record with several tags is under each, and filters apply in the sections', async () => {
  await page.goto('/contacts?sort=first_name&group=tags')
  await shows(['Berlin 2', 'Ada', 'Grace', 'Board, non-executive 1', 'Ada', 'No tags 1', 'Linus'])
  await page.goto('/contacts?sort=first_name&group=tags&global_status=eq.qualified')
  await shows(['Berlin 1', 'Grace', 'No tags 1', 'Linus'])
  await page.goto('/contacts?sort=first_name&group=global_status&global_status=eq.qualified')
  await shows(['Qualified 2', 'Grace', 'Linus'])
})

test('companies and deals are grouped by their owners and stages', async () => {
  const company = await write(page, 'POST', '/companies', { name: 'Engines Ltd', owner_id: null })
  await page.goto('/companies?group=owner_id')
  await shows(['No owner 1', 'Engines Ltd'])
  await write(page, 'POST', '/deals', { title: 'Ten engineers', company_id: company.id })
  await page.goto('/deals?layout=table&group=stage_id')
  await shows(['Lead 1', 'Ten engineers'])
  await page.getByRole('gridcell', { name: 'Engines Ltd' }).waitFor()
})

test('the console stayed quiet', () => assert.deepEqual(web.troubles, []))
