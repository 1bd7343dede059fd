// Variants of a step: texts that are compared, edited in tabs, with their results on the page of the sequence.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hindrances, OWNER, office, read, until, write, written } from './support.mjs'

const { server, web, page } = await office()
let control

before(async () => {
  const [, smtp, imap, found] = await server.beside(['sandbox'], /smtp (\S+)\nimap (\S+)[\s\S]*control (\S+)\nready/)
  control = found
  const mailbox = ['--provider', 'email', '--name', 'Office', '--address', 'office@mail.example.org']
  server.run('accounts', 'add', ...mailbox, '--smtp', smtp, '--imap', imap)
  await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' })
})

const stepOf = async (id) => (await read(page, `/sequences/${id}`)).steps[0]
const subject = () => page.getByLabel('Subject')
const text = () => page.getByRole('textbox', { name: 'Text', exact: true })
const tab = (letter) => page.getByRole('tab', { name: `Variant ${letter}`, exact: true })
const button = (name) => page.getByRole('button', { name, exact: true })
const save = async () => {
  await button('Save steps').click()
  await page.getByText('Steps saved').first().waitFor()
  await until(() => button('Save steps').isDisabled(), 'nothing is left to save')
}
const sequence = () => write(page, 'POST', '/sequences', { name: 'Two texts' })

test('variants are written in tabs, saved and kept', async () => {
  const { id } = await sequence()
  await page.goto(`/sequences/${id}?open=steps`)
  await button('Add the first step').click()
  await page.getByRole('menuitem', { name: 'Email', exact: true }).click()
  await subject().fill('Short, {{ first_name }}')
  await text().fill('Hello {{ first_name }}')
  await button('Add variant').click()
  // The new one begins with the text of the first one.
  assert.equal(await tab('B').getAttribute('aria-selected'), 'true')
  assert.equal(await written(text()), 'Hello {{ first_name }}')
  await subject().fill('Long, {{ first_name }}')
  await text().fill('A long hello, {{ firstname }}')
  await page.getByLabel('Weight').fill('3')
  await page.getByText('75 % of the contacts get it').waitFor()
  await until(async () => /A 25 %/.test(await tab('A').innerText()), 'the other one gets the rest')
  // A problem is shown at the text of its variant, and at the tab while another one is shown.
  await page
    .getByText(/There is no firstname to fill in/)
    .first()
    .waitFor()
  await tab('A').click()
  assert.equal(await subject().inputValue(), 'Short, {{ first_name }}')
  await until(async () => (await tab('B').innerText()).includes('⚠'), 'the tab is marked')
  assert.equal((await tab('A').innerText()).includes('⚠'), false)
  await page.getByLabel('Variant name').fill('Short')
  await tab('B').click()
  await text().fill('A long hello, {{ first_name }}')
  await save()
  const first = await stepOf(id)
  assert.deepEqual(
    [first.subject, first.body, first.variants.map(({ id: _, ...one }) => one)],
    [
      null,
      null,
      [
        { name: 'Short', weight: 1, subject: 'Short, {{ first_name }}', body: 'Hello {{ first_name }}' },
        { name: null, weight: 3, subject: 'Long, {{ first_name }}', body: 'A long hello, {{ first_name }}' },
      ],
    ],
  )

  // Changed and saved again, on the same page, they stay the same ones.
  await button('Add variant').click()
  await subject().fill('Third')
  await save()
  const second = await stepOf(id)
  await text().fill('A third one')
  await save()
  const third = await stepOf(id)
  const ids = (step) => step.variants.map((one) => one.id)
  assert.equal(third.variants[2].body, 'A third one')
  assert.deepEqual([ids(second).slice(0, 2), ids(third)], [ids(first), ids(second)])

  // Removed until one is left, the step has its text.
  await button('Remove variant C').click()
  await tab('A').click()
  await button('Remove variant A').click()
  assert.equal(await tab('A').count(), 0)
  assert.equal(await subject().inputValue(), 'Long, {{ first_name }}')
  await save()
  const last = await stepOf(id)
  assert.deepEqual([last.subject, last.variants], ['Long, {{ first_name }}', []])
})

test('the shown variant is previewed and tested', async () => {
  const { id } = await write(page, 'POST', '/sequences', {
    name: 'Previews',
    steps: [
      {
        type: 'email',
        variants: [
          { subject: 'One', body: 'First, {{ first_name }}' },
          { subject: 'Two', body: 'Second, {{ first_name }}' },
        ],
      },
    ],
  })
  await page.goto(`/sequences/${id}?open=steps`)
  await page.getByRole('combobox', { name: 'Preview as' }).click()
  await page.getByRole('option', { name: /Ada Example/ }).click()
  await page.getByTestId('preview').getByText('First, Ada').waitFor()
  await tab('B').click()
  await page.getByTestId('preview').getByText('Second, Ada').waitFor()
  await button('Send me a test').click()
  await page.getByText(`Test sent to ${OWNER.email} from office@mail.example.org`).waitFor()
  const sent = async () => (await fetch(`${control}/mails?to=${OWNER.email}`).then((one) => one.json())).mails
  const [mail] = await until(async () => ((await sent()).length === 1 ? sent() : false), 'the test arrives')
  assert.equal(mail.subject, 'Two')
})

test('the results show each variant and what they prove', async () => {
  const always = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start_time: '00:00', end_time: '24:00' }
  const { id } = await write(page, 'POST', '/sequences', {
    name: 'Results',
    schedule_config: always,
    steps: [
      {
        type: 'email',
        variants: [
          { name: 'Short', subject: 'One', body: '{{ unsubscribe_url }}' },
          { subject: 'Two', body: 'Two' },
        ],
      },
    ],
  })
  await page.goto(`/sequences/${id}`)
  await button('Start').click()
  const warned = page.getByRole('alert').filter({ hasText: /^Started, with/ })
  await warned.getByText('No unsubscribe link is in the text of Email 1 (variant B).').waitFor()
  const people = []
  for (let n = 0; n < 6; n++) {
    const body = { first_name: 'Bea', email: `bea${n}@example.com` }
    people.push((await write(page, 'POST', '/contacts', body)).id)
  }
  await write(page, 'POST', `/sequences/${id}/enroll`, { contact_ids: people })
  const stats = async () => (await read(page, `/sequences/${id}/stats`))[0]
  const { variants } = await until(async () => {
    const step = await stats()
    return step.sent === 6 ? step : false
  }, 'all mails are sent')
  assert.equal(variants[0].sent + variants[1].sent, 6)
  await page.goto(`/sequences/${id}?open=results`)
  const row = (name) => page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
  const cells = async (name) => (await row(name).getByRole('cell').allInnerTexts()).map((one) => one.trim())
  await row('A: Short').waitFor()
  // After the name and the bar: planned, sent, …
  assert.equal((await cells('A: Short'))[3], String(variants[0].sent))
  assert.equal((await cells('B'))[3], String(variants[1].sent))
  await page.getByText(/^Too few messages were sent: each variant needs 30, and Short has \d, B has \d\.$/).waitFor()
  const other = await web.open({ storageState: await web.context.storageState(), bypassCSP: true })
  for (const [open, seen] of [
    ['results', other.page.getByText(/^Too few messages/)],
    ['steps', other.page.getByRole('tab', { name: 'Variant B', exact: true })],
  ]) {
    await other.page.goto(`/sequences/${id}?open=${open}`)
    await seen.waitFor()
    assert.deepEqual(await hindrances(other.page), [], open)
  }
  await other.context.close()
})
