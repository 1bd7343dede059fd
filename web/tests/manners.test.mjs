// Manners that hold on many screens: undo, selection, links, unknown addresses, fingers.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { browse, office, read, serve, until, write } from './support.mjs'

const { web, page } = await office()
let project
let sequence
const bar = () => page.getByRole('region', { name: 'Selection' })
const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
const all = () => page.getByLabel('Select the rows shown').check()

before(async () => {
  project = await write(page, 'POST', '/projects', { name: 'Looms' })
  sequence = await write(page, 'POST', '/sequences', {
    name: 'Calls',
    steps: [{ type: 'task', name: 'Call', delay_days: 3 }],
  })
  await write(page, 'POST', `/sequences/${sequence.id}/start`, {})
  await write(page, 'POST', '/tags', { name: 'Early' })
  for (const first_name of ['Ada', 'Bea', 'Cleo'])
    await write(page, 'POST', '/contacts', { first_name, last_name: 'Weaver', tags: ['Early'] })
})

test('tags, candidates and enrollments of many contacts are undone', async () => {
  await page.goto('/contacts?last_name=Weaver')
  await page.getByRole('gridcell', { name: 'Cleo Weaver' }).waitFor()
  await all()
  await bar().getByRole('button', { name: 'Tag', exact: true }).click()
  // The suggestions leave the button free.
  await page.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'Early' }).waitFor()
  await page.keyboard.type('Shortlist')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Early' }).waitFor()
  await page.getByRole('button', { name: 'Add tags' }).click()
  const tagged = async (name) => (await read(page, `/contacts?tags=cs.{${name}}`)).length
  await until(async () => (await tagged('Shortlist')) === 3, 'three have the tag')
  await undo()
  await until(async () => (await tagged('Shortlist')) === 0, 'the tag is removed')
  assert.equal(await tagged('Early'), 3)

  const [ada] = await read(page, '/contacts?first_name=Ada')
  await write(page, 'POST', `/projects/${project.id}/entries`, { contact_id: ada.id })
  await page.reload()
  await page.getByRole('gridcell', { name: 'Cleo Weaver' }).waitFor()
  await all()
  const pick = async (button, name) => {
    await bar().getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('combobox').click()
    await page.getByRole('option', { name }).click()
  }
  const candidates = async () =>
    (await read(page, `/projects/${project.id}/entries`)).map((one) => one.contact.first_name)
  await pick('Add to project', 'Looms')
  await until(async () => (await candidates()).length === 3, 'all are candidates')
  await undo()
  await until(async () => (await candidates()).join() === 'Ada', 'only those are removed that were added')

  await page.reload()
  await page.getByRole('gridcell', { name: 'Cleo Weaver' }).waitFor()
  await all()
  const question = page.getByRole('dialog', { name: 'Enroll 3 people in “Calls”?' })
  await pick('Enroll', 'Calls')
  await question.getByText(/Messages are sent as its schedule allows|It is paused/).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.deepEqual(await read(page, `/sequences/${sequence.id}/enrollments`), [])
  await pick('Enroll', 'Calls')
  await question.getByRole('button', { name: 'Enroll 3 people' }).click()
  const states = async () => (await read(page, `/sequences/${sequence.id}/enrollments`)).map((one) => one.status)
  await until(async () => (await states()).join() === 'active,active,active', 'all are enrolled')
  await undo()
  await until(async () => (await states()).every((one) => one === 'unenrolled'), 'nobody is')
})

test('the result of an enrollment says who was left out, and why', async () => {
  const [ada, bea] = await read(page, '/contacts?last_name=Weaver&sort=first_name')
  await write(page, 'PUT', `/contacts/${ada.id}`, { do_not_contact: true })
  await write(page, 'POST', `/sequences/${sequence.id}/enroll`, { contact_ids: [bea.id] })
  await page.goto('/contacts?last_name=Weaver')
  await page.getByRole('gridcell', { name: 'Cleo Weaver' }).waitFor()
  await all()
  await bar().getByRole('button', { name: 'Enroll' }).click()
  await page.getByRole('dialog').getByRole('combobox').click()
  await page.getByRole('option', { name: 'Calls' }).click()
  await page.getByRole('button', { name: 'Enroll 3 people' }).click()
  await page
    .getByText(
      /^Enrolled: 1, 2 refused \((1 must not be contacted; )?1 in this sequence already(; 1 must not be contacted)?\)$/,
    )
    .waitFor()
  // The refused ones stay selected, with the reason.
  await bar().getByText('2 selected').waitFor()
  const cell = page.getByRole('gridcell', { name: 'Bea Weaver' })
  assert.match(await cell.getAttribute('aria-description'), /in this sequence already/)
})

test('the rows that are selected are those on the screen', async () => {
  const items = Array.from({ length: 60 }, (_, n) => ({
    op: 'create',
    data: { first_name: `Row ${n}`, last_name: 'Long' },
  }))
  await write(page, 'POST', '/contacts/bulk', { items })
  await page.goto('/contacts?last_name=Long')
  await until(async () => (await page.getByTestId('total').innerText()) === '60', 'sixty are found')
  await page.getByRole('gridcell', { name: /^Row/ }).first().waitFor()
  await all()
  const grid = await page.getByRole('grid').boundingBox()
  const height = await page.evaluate(() => window.innerHeight)
  const number = Number(
    (
      await bar()
        .getByText(/selected$/)
        .innerText()
    ).split(' ')[0],
  )
  const most = Math.ceil((height - grid.y) / 36)
  assert.ok(number > 5 && number <= most, `${number} of at most ${most}`)
})

test('a long notice does not cut off its button', async () => {
  const deal = await write(page, 'POST', '/deals', { title: `Deal ${'with a very long name '.repeat(5)}`.trim() })
  await page.goto('/deals')
  await page.getByRole('listitem', { name: deal.title }).press('Shift+ArrowRight')
  const button = page.getByRole('button', { name: 'Undo' })
  await button.waitFor()
  const [wanted, given] = await button.evaluate((one) => [one.scrollWidth, one.clientWidth])
  assert.ok(wanted <= given, `${wanted} in ${given}`)
})

test('addresses of a contact are links, and still edited in place', async () => {
  const { id } = await write(page, 'POST', '/contacts', {
    first_name: 'Lin',
    email: 'lin@example.com',
    phone: '+49 30 123456',
    network_profile: 'https://network.example.com/in/lin',
  })
  await page.goto(`/contacts/${id}`)
  const hrefs = page.locator('dd a')
  await hrefs.first().waitFor()
  assert.deepEqual(await hrefs.evaluateAll((links) => links.map((one) => one.getAttribute('href'))), [
    'mailto:lin@example.com',
    'tel:+4930123456',
    'https://network.example.com/in/lin',
  ])
  await page.getByRole('button', { name: 'Edit Email' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('lin@example.com, l@example.com')
  await page.keyboard.press('Enter')
  await until(async () => (await read(page, `/contacts/${id}`)).emails.length === 2, 'the second is stored')
})

test('an unknown address keeps the navigation', async () => {
  await page.goto('/nowhere/at/all')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).click()
  await page.getByRole('heading', { name: 'Hello Olive' }).waitFor()
})

test('on a phone the tabs come first, targets are large, and the open section is in sight', async () => {
  const [ada] = await read(page, '/contacts?first_name=Ada')
  await write(page, 'POST', '/tasks', {
    title: 'Call Ada',
    contact_id: ada.id,
    due_date: new Date().toISOString().slice(0, 10),
  })
  const { page: phone, context } = await web.open({
    storageState: await web.context.storageState(),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await phone.goto(`/contacts/${ada.id}?open=cv`)
  await phone.getByText('No CV').waitFor()
  assert.ok((await phone.getByText('No CV').boundingBox()).y < 600)
  const chosen = await phone.getByRole('tab', { name: 'CV and files' }).boundingBox()
  assert.ok(chosen.x >= 0 && chosen.x + chosen.width <= 390, `the open tab is at ${chosen.x}`)
  await phone.getByRole('tab', { name: 'Details' }).click()
  await phone.getByRole('button', { name: 'Edit Title' }).waitFor()
  for (const [path, shown] of [
    [`/contacts/${ada.id}?open=details`, 'Last name'],
    ['/contacts?last_name=Weaver', 'Ada Weaver'],
    ['/tasks?assigned_to=all&list=all', 'Call Ada'],
    ['/settings/sending', 'Sending'],
  ]) {
    await phone.goto(path)
    await phone.getByText(shown).first().waitFor()
    const small = await phone.evaluate(() =>
      [...document.querySelectorAll('button, input, [role=tab], a[href]')]
        .filter(
          (one) => one.checkVisibility({ visibilityProperty: true }) && getComputedStyle(one).display !== 'inline',
        )
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.left >= 0 && box.left < innerWidth && box.top < innerHeight)
        // A box to tick is small, but a touch near it counts.
        .filter(
          ({ one, box }) =>
            (one.type === 'checkbox' ? Number.parseFloat(getComputedStyle(one, '::before').height) : box.height) < 40,
        )
        .map(({ one }) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`),
    )
    assert.deepEqual(small, [], path)
  }
  const tab = await phone
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Sending' })
    .boundingBox()
  assert.ok(tab.x >= 0 && tab.x + tab.width <= 390, `the section is at ${tab.x}`)
  await context.close()
  assert.deepEqual(web.troubles, [])
})

test('set-up shows all problems at once', async () => {
  const fresh = await serve()
  const other = await browse(fresh)
  try {
    await other.page.goto(fresh.setup)
    await other.page.getByLabel('First name').fill('Nell')
    await other.page.getByLabel('Email').fill('nell')
    await other.page.locator('input[type=password]').fill('short')
    await other.page.getByRole('button', { name: 'Create workspace' }).click()
    await until(async () => (await other.page.getByRole('alert').count()) === 3, 'three fields have a problem')
    await other.page.getByText('is not an email address').waitFor()
    await other.page.getByText('needs at least 12 characters').waitFor()
    await other.page.getByLabel('Email').fill('nell@example.com')
    await other.page.locator('input[type=password]').fill('a lantern over the harbour')
    await other.page.getByLabel(/^Workspace/).fill('Teapots')
    await other.page.getByRole('button', { name: 'Create workspace' }).click()
    await other.page.getByRole('heading', { name: 'Hello Nell' }).waitFor()
  } finally {
    await other.close()
    await fresh.stop()
  }
})
