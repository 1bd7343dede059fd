// Enrollments that failed are tried again, and people with earlier steps are moved to the present ones.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, office, read, until, write } from './support.mjs'

const { server, web, page } = await office()
const SCHEDULE = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start_time: '00:00', end_time: '24:00' }

before(async () => {
  const [, smtp, imap] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*ready/)
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
})

const contact = (first_name, more) =>
  write(page, 'POST', '/contacts', {
    first_name,
    last_name: 'Example',
    email: `${first_name.toLowerCase()}@example.com`,
    ...more,
  })

async function sequence(name, steps) {
  const body = { name, mode: 'simple', schedule_config: SCHEDULE, steps }
  const { id } = await write(page, 'POST', '/sequences', body)
  await write(page, 'POST', `/sequences/${id}/start`, {})
  return id
}

/** Steps are changed while the sequence is paused. */
async function change(id, steps) {
  await write(page, 'POST', `/sequences/${id}/pause`, {})
  await write(page, 'PUT', `/sequences/${id}`, { steps })
  await write(page, 'POST', `/sequences/${id}/start`, {})
}

const enroll = (id, ...people) =>
  write(page, 'POST', `/sequences/${id}/enroll`, { contact_ids: people.map((one) => one.id) })

const enrollmentOf = async (id, person) =>
  (await read(page, `/sequences/${id}/enrollments?contact_id=eq.${person.id}`))[0]

const statusIs = (id, person, status) =>
  until(async () => (await enrollmentOf(id, person)).status === status, `${person.first_name} is ${status}`)

async function open(id) {
  await page.goto(`/sequences/${id}?open=enrollments`)
  await page.getByRole('radiogroup', { name: 'State' }).waitFor()
}

const row = (name) => page.locator('.row-link', { has: page.getByRole('link', { name: `${name} Example` }) })
const mailsTo = async (person) =>
  (await read(page, '/messages?direction=outbound')).filter((one) => one.contact_id === person.id)

test('an enrollment that failed is tried again from its row', async () => {
  const ada = await contact('Ada')
  const id = await sequence('One', [{ type: 'email', subject: 'Hello', body: 'A question to the {{ title }}.' }])
  await enroll(id, ada)
  await statusIs(id, ada, 'failed')
  await open(id)
  const again = row('Ada').getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await write(page, 'PUT', `/contacts/${ada.id}`, { title: 'engineer' })
  await again.click()
  await statusIs(id, ada, 'finished')
  await again.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /failed again/ }).waitFor({ state: 'detached' })
  const [mail] = await mailsTo(ada)
  assert.match(mail.content, /A question to the engineer/)
})

test('all that failed are tried again, and those who can’t go on are listed', async () => {
  const people = [await contact('Ben'), await contact('Cleo'), await contact('Dan')]
  const [ben, cleo, dan] = people
  const id = await sequence('Many', [{ type: 'email', subject: 'Hello', body: 'Dear {{ title }}.' }])
  await enroll(id, ...people)
  for (const one of people) await statusIs(id, one, 'failed')
  for (const one of people) await write(page, 'PUT', `/contacts/${one.id}`, { title: 'engineer' })
  await write(page, 'PUT', `/contacts/${dan.id}`, { do_not_contact: true })
  await open(id)
  await page.getByRole('button', { name: 'Try 3 failed again' }).click()
  const question = page.getByRole('dialog', { name: 'Try 3 people again?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal((await enrollmentOf(id, ben)).status, 'failed')
  await page.getByRole('button', { name: 'Try 3 failed again' }).click()
  await question.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('2 people continue').waitFor()
  const refused = page.getByRole('dialog', { name: '1 person can’t continue' })
  await refused
    .getByRole('listitem')
    .filter({ hasText: 'Dan Example' })
    .getByText(/can't be written to/)
    .waitFor()
  await refused.getByRole('button', { name: 'Close' }).last().click()
  for (const one of [ben, cleo]) await statusIs(id, one, 'finished')
  assert.equal((await enrollmentOf(id, dan)).status, 'failed')
  assert.equal((await mailsTo(dan)).length, 0)
  await page.getByRole('button', { name: 'Try 1 failed again' }).waitFor()
})

test('people with earlier steps are moved to the present ones, after a look at who can’t be', async () => {
  const [eve, finn, gus] = [await contact('Eve'), await contact('Finn'), await contact('Gus')]
  const first = { type: 'email', subject: 'Hello', body: 'First.' }
  const id = await sequence('Changed', [first, { type: 'email', body: 'Second, in a week.', delay_days: 7 }])
  await enroll(id, eve, finn)
  const hadFirst = (person) =>
    until(async () => (await mailsTo(person)).some((one) => one.status === 'sent'), `${person.first_name} has the mail`)
  for (const one of [eve, finn]) await hadFirst(one)
  const steps = async () => (await read(page, `/sequences/${id}`)).steps
  await open(id)
  await row('Eve').waitFor()
  assert.equal(await page.getByText('an earlier version of the steps').count(), 0)
  assert.equal(await row('Eve').getByText('Version 1').count(), 0)

  // The step that Eve and Finn had is replaced, so that they can't follow the new ones; Gus can follow the third ones.
  const [, second] = await steps()
  const third = { type: 'email', subject: 'Hello again', body: 'Third.' }
  await change(id, [third, second])
  await enroll(id, gus)
  await hadFirst(gus)
  const [kept] = await steps()
  await change(id, [kept, { type: 'email', body: 'At once.' }])
  await page.getByText('3 people follow an earlier version of the steps.').waitFor()
  await row('Eve').getByText('Version 1').waitFor()
  await row('Gus').getByText('Version 2').waitFor()

  const offer = page.getByRole('button', { name: 'Move to the present steps' })
  await offer.click()
  const dialog = page.getByRole('dialog', { name: 'Move 1 person to the present steps?' })
  await dialog.getByText('2 people stay with the earlier steps:').waitFor()
  for (const name of ['Eve', 'Finn']) {
    await dialog
      .getByRole('listitem')
      .filter({ hasText: `${name} Example` })
      .getByText(/not among the present steps/)
      .waitFor()
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await enrollmentOf(id, gus)).sequence_version, 2)

  await offer.click()
  await dialog.getByRole('button', { name: 'Move 1 person' }).click()
  await page.getByText('Moved 1 person to the present steps').waitFor()
  const left = page.getByRole('dialog', { name: '2 people not moved' })
  await left.getByRole('listitem').filter({ hasText: 'Eve Example' }).waitFor()
  await left.getByRole('button', { name: 'Close' }).last().click()
  await until(async () => (await enrollmentOf(id, gus)).sequence_version === 3, 'Gus follows the present steps')
  await until(
    async () => (await mailsTo(gus)).some((one) => one.content.startsWith('At once.')),
    'Gus has the new step',
  )
  assert.equal((await enrollmentOf(id, eve)).sequence_version, 1)
  await page.getByText('2 people follow an earlier version of the steps.').waitFor()
  assert.deepEqual(web.troubles, [])
})

test('the enrollments are accessible, in light and dark and on a phone', async () => {
  const { page: other, context } = await web.open({
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  await other.goto(new URL(page.url()).pathname + new URL(page.url()).search)
  await other.getByText('2 people follow an earlier version of the steps.').waitFor()
  assert.deepEqual(await hindrances(other), [])
  await context.close()
})
