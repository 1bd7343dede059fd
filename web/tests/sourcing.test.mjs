import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
let project

before(async () => {
  const [, url, token, finder] = await server.beside(
    ['sandbox'],
    /network (\S+) (\S+)[\s\S]*enrichment (\S+)[\s\S]*ready/,
  )
  server.run(
    'accounts',
    'add',
    '--provider',
    'network',
    '--name',
    'Olive',
    '--url',
    url,
    '--token',
    token,
    '--license-type',
    'recruiter',
  )
  const asked = `${finder}/index/find?first_name={first_name}&last_name={last_name}&company={company}`
  server.run(
    'enrichment',
    'add',
    '--name',
    'Index',
    '--kind',
    'json',
    '--url',
    asked,
    '--header',
    `X-API-Key: ${token}`,
    '--email-path',
    'emails.*.address',
  )
  project = await write(page, 'POST', '/projects', { name: 'Head of Engines' })
  await write(page, 'POST', '/contacts', {
    first_name: 'Ada',
    last_name: 'Example',
    title: 'Engineer',
    current_company: 'Aster Labs',
  })
})

const entries = () => read(page, `/projects/${project.id}/entries`)

test('an existing contact is found and added to the project', async () => {
  await page.goto(`/sourcing?project_id=${project.id}`)
  await page.getByRole('combobox', { name: 'Job titles' }).fill('Engineer')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByLabel('Choose Ada Example').check()
  await page.getByRole('button', { name: 'Add 1 to project' }).click()
  await until(async () => (await entries()).length === 1, 'Ada is a candidate')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('In this project').waitFor()
})

test('people of a network are found by place and added to the project', async () => {
  await page.goto(`/sourcing?project_id=${project.id}`)
  await page.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: 'Professional network' }).click()
  await page.getByRole('combobox', { name: 'Places' }).fill('berlin')
  await page
    .getByRole('option', { name: /Berlin/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const first = page.getByRole('checkbox', { name: /^Choose/ }).first()
  const name = (await first.getAttribute('aria-label')).replace('Choose ', '')
  await first.check()
  await page.getByRole('button', { name: 'Add 1 to project' }).click()
  await until(
    async () => (await entries()).some((one) => `${one.contact.first_name} ${one.contact.last_name}` === name),
    'is a candidate',
  )
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('In this project').first().waitFor()
  assert.deepEqual(web.troubles, [])
})

test('a hiring company is found by its job and added', async () => {
  await page.goto(`/sourcing?project_id=${project.id}`)
  await page.getByText('Jobs', { exact: true }).click()
  await page.getByLabel('Keywords').fill('Engineer')
  await page.getByRole('combobox', { name: 'Places' }).fill('berlin')
  await page
    .getByRole('option', { name: /Berlin/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const add = page.getByRole('button', { name: /^Add / }).first()
  const name = (await add.getAttribute('aria-label')).replace('Add ', '')
  await add.press('Enter')
  const [company] = await until(async () => {
    const found = await read(page, `/companies?name=${encodeURIComponent(`eq.${name}`)}`)
    return found.length === 1 && found
  }, 'the company is kept')
  assert.match(company.network_profile, /^https:/)
  await page
    .getByRole('link', { name: `${name}, known` })
    .first()
    .click()
  await page.getByRole('heading', { name }).waitFor()
  assert.deepEqual(web.troubles, [])
})

test('an email address is looked up, found and saved', async () => {
  await page.goto('/enrichment')
  await page.getByRole('combobox', { name: 'Look up' }).fill('Ada')
  await page.getByRole('option', { name: /Ada Example/ }).click()
  await page.getByRole('button', { name: /^Look up for up to 1 credit/ }).click()
  const found = await until(
    async () => (await read(page, '/contacts?first_name=Ada'))[0].emails[0]?.email,
    'an address is found',
  )
  await page.getByText(found).first().waitFor()
  assert.equal((await read(page, '/me')).credits.enrichment, 999)
})
