// Run by bin/prove-field, on a program whose contacts have one more field, `pronouns`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { page } = await office()

test('the API and the dashboard have the new field', async () => {
  const { id } = await write(page, 'POST', '/contacts', { first_name: 'Ada', pronouns: 'she/her' })
  await write(page, 'POST', '/contacts', { first_name: 'Grace' })
  const found = await read(page, '/contacts?pronouns=ilike.%25HER%25')
  assert.deepEqual(
    found.map((one) => [one.id, one.pronouns]),
    [[id, 'she/her']],
  )

  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: 'Edit Pronouns' }).click()
  await page.getByRole('textbox', { name: 'Pronouns' }).fill('they/them')
  await page.keyboard.press('Enter')
  await until(async () => (await read(page, `/contacts/${id}`)).pronouns === 'they/them', 'the change is saved')

  await page.goto('/contacts?columns=name,pronouns')
  await page.getByRole('columnheader', { name: 'Pronouns' }).waitFor()
  await page.getByRole('gridcell', { name: 'they/them' }).waitFor()
})
