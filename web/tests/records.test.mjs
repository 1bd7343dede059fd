import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, until, write } from './support.mjs'

const { web, page } = await office()

const cell = (row, key) => page.getByRole('row').filter({ hasText: row }).locator(`[data-key="${key}"]`)

test('a contact is added, edited in the table, filtered, saved as a view and tagged', async () => {
  await page.goto('/contacts')
  await page.getByText('No contacts yet').waitFor()
  await page.getByRole('button', { name: 'New contact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Ada')
  await dialog.getByLabel('Last name').fill('Example')
  await dialog.getByLabel('Email').fill('ada@example')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog
    .getByText(/is not an email address/)
    .first()
    .waitFor()
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor()

  for (const [first_name, title] of [
    ['Grace', 'CTO'],
    ['Linus', 'Engineer'],
    ['Edsger', 'CTO, Europe'],
  ]) {
    await write(page, 'POST', '/contacts', { first_name, title })
  }
  await page.goto('/contacts')
  await cell('Ada', 'title').dblclick()
  await page.getByRole('textbox', { name: 'Title' }).fill('CTO (acting)')
  await page.keyboard.press('Enter')
  await until(
    async () => (await read(page, '/contacts?first_name=Ada'))[0].title === 'CTO (acting)',
    'the title is kept',
  )

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Title', exact: true }).click()
  await page.getByLabel('Value').fill('cto')
  await page.getByLabel('Value').press('Enter')
  await until(() => new URL(page.url()).searchParams.get('title') === 'ilike.%cto%', 'the address holds the filter')
  await page.getByRole('button', { name: 'For the API' }).click()
  assert.match(await page.getByTestId('grammar').innerText(), /title=ilike\.%cto%/)
  await page.keyboard.press('Escape')
  await until(async () => (await page.getByTestId('total').innerText()) === '3', 'three are left')

  await page.getByLabel('Select the rows shown').check()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('Shortlist')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await until(async () => (await read(page, '/contacts?tags=cs.{Shortlist}')).length === 3, 'three wear the tag')
})

test('tags and skills are typed', async () => {
  const { id } = await write(page, 'POST', '/contacts', { first_name: 'Tove', tags: ['Author'] })
  const stored = async () => read(page, `/contacts/${id}`)
  await page.goto('/contacts?first_name=Tove')
  await cell('Tove', 'tags').dblclick()
  const input = page.locator('input:focus')
  await input.waitFor()
  await page.keyboard.type('Painter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Islander,')
  await page.keyboard.type('Left without Enter')
  await page.keyboard.press('Tab')
  const all = ['Author', 'Painter', 'Islander', 'Left without Enter']
  await until(async () => JSON.stringify((await stored()).tags) === JSON.stringify(all), 'all tags are stored')
  await cell('Tove', 'tags').dblclick()
  await input.waitFor()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  await until(async () => (await stored()).tags.length === 3, 'the last tag is removed')
  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: 'Edit Skills' }).click()
  await input.waitFor()
  await page.keyboard.type('Drawing')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Writing')
  await page.keyboard.press('Tab')
  await until(async () => JSON.stringify((await stored()).skills) === '["Drawing","Writing"]', 'skills are stored')
})

test('a choice is made in the table by keyboard', async () => {
  await page.goto('/contacts')
  await cell('Linus', 'title').click()
  for (let steps = 0; steps < 4; steps++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Qualified' }).waitFor()
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await until(
    async () => (await read(page, '/contacts?first_name=Linus'))[0].global_status !== 'new',
    'the status is another',
  )
})

test('a refused value shows the reason at its cell, and the old value stays', async () => {
  await page.goto('/contacts')
  await cell('Grace', 'emails').dblclick()
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText(/is not an email address/).waitFor()
  assert.deepEqual((await read(page, '/contacts?first_name=Grace'))[0].emails, [])
})

test('a view is saved and restores filter, sort and columns', async () => {
  await page.goto('/contacts?title=ilike.%25cto%25&sort=first_name')
  await page.getByRole('button', { name: 'Save as view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Heads of technology')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByText('View “Heads of technology” saved').waitFor()
  await page.goto('/contacts')
  await page.getByRole('tab', { name: 'Heads of technology' }).click()
  await until(() => new URL(page.url()).searchParams.get('sort') === 'first_name', 'the view is there')
  await until(async () => (await page.getByTestId('total').innerText()) === '3', 'it filters')
})

test('an archived contact is restored by undo', async () => {
  await page.goto('/contacts')
  await page.getByRole('row').filter({ hasText: 'Linus' }).getByLabel('Select').check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Archive' }).click()
  await until(async () => (await read(page, '/contacts?first_name=Linus'))[0].archived_at !== null, 'archived')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await read(page, '/contacts?first_name=Linus'))[0].archived_at === null, 'back')
})

test('a contact is erased after its name is typed', async () => {
  const { id } = await write(page, 'POST', '/contacts', {
    first_name: 'Mary',
    last_name: 'Shelley',
    email: 'mary@example.com',
  })
  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Mary Shelley?' })
  const button = dialog.getByRole('button', { name: 'Erase for good' })
  await page.keyboard.type('Mary')
  assert.equal(await button.isDisabled(), true, 'half of the name is not enough')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' Shelley')
  await page.keyboard.press('Enter')
  await page.getByText('Mary Shelley is erased').waitFor()
  await page.waitForURL(/\/contacts$/)
  assert.deepEqual(await read(page, '/contacts?last_name=Shelley&global_status=all'), [])
  // The list replaces the page once it is loaded.
  await page.getByTestId('total').waitFor()
  await until(async () => (await page.getByText('mary@example.com').count()) === 0, 'nothing of her is shown')
})

test('erasing warns of another contact with the same address', async () => {
  const twin = (first_name) =>
    write(page, 'POST', '/contacts', { first_name, last_name: 'Double', email: 'double@example.com' })
  const { id } = await twin('Ann')
  const other = await twin('Bea')
  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Ann Double?' })
  await dialog.getByText('Another contact has the same address').waitFor()
  await dialog.getByText('Bea Double').waitFor()
  await page.keyboard.press('Escape')
  assert.equal((await read(page, '/contacts?last_name=Double')).length, 2)
  for (const one of [id, other.id]) await write(page, 'DELETE', `/contacts/${one}?erase=true`)
})

test('selected contacts are erased after their number is typed', async () => {
  for (const first_name of ['Romeo', 'Juliet', 'Tybalt']) {
    await write(page, 'POST', '/contacts', { first_name, last_name: 'Verona' })
  }
  await page.goto('/contacts?last_name=Verona')
  await until(async () => (await page.getByTestId('total').innerText()) === '3', 'three are shown')
  for (const name of ['Romeo', 'Tybalt'])
    await page.getByRole('row').filter({ hasText: name }).getByLabel('Select').check()
  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase 2 contacts?' })
  await dialog.getByLabel(/^Type/).fill('erase 3')
  assert.equal(await dialog.getByRole('button', { name: 'Erase for good' }).isDisabled(), true)
  await dialog.getByLabel(/^Type/).fill('erase 2')
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByText('Erased: 2').waitFor()
  const left = await read(page, '/contacts?last_name=Verona&global_status=all')
  assert.deepEqual(
    left.map((one) => one.first_name),
    ['Juliet'],
  )
})

test('selected companies are erased after their number is typed', async () => {
  for (const name of ['Montague', 'Capulet', 'Escalus']) await write(page, 'POST', '/companies', { name })
  await page.goto('/companies')
  for (const name of ['Montague', 'Capulet'])
    await page.getByRole('row').filter({ hasText: name }).getByLabel('Select').check()
  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase 2 companies?' })
  await dialog.getByLabel(/^Type/).fill('erase 2')
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByText('Erased: 2').waitFor()
  const [left, ...others] = await read(page, '/companies?name=in.(Montague,Capulet,Escalus)')
  assert.deepEqual([left.name, others], ['Escalus', []])
  await page.goto(`/companies/${left.id}`)
  await page.getByRole('heading', { name: 'Escalus' }).waitFor()
  await write(page, 'DELETE', `/companies/${left.id}?erase=true`)
  await page.getByText('This company was erased').waitFor()
})

test('a contact that another user erases is shown as erased', async () => {
  const made = []
  for (const first_name of ['Twin', 'Twin'])
    made.push(await write(page, 'POST', '/contacts', { first_name, email: 'twin@example.com' }))
  await page.goto('/duplicates')
  await page.getByRole('button', { name: 'Not a duplicate' }).first().waitFor()
  await write(page, 'DELETE', `/contacts/${made[0].id}?erase=true`)
  await page.getByText('No duplicates found').waitFor()
  await page.goto(`/contacts/${made[1].id}`)
  await page.getByRole('heading', { name: 'Twin' }).waitFor()
  await write(page, 'DELETE', `/contacts/${made[1].id}?erase=true`)
  await page.getByText('This contact was erased').waitFor()
  assert.equal(await page.getByText('Try again').count(), 0)
  await page.getByRole('link', { name: 'Show all contacts' }).click()
  await page.waitForURL(/\/contacts$/)
  await page.goto(`/contacts/${made[1].id}`)
  await page.getByText('This contact does not exist').waitFor()
})

test('notes, tasks and a CV on a contact', async () => {
  const [ada] = await read(page, '/contacts?first_name=Ada')
  await page.goto(`/contacts/${ada.id}?open=notes`)
  await page.getByLabel('New note').fill('Met at the fair.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await until(
    async () => (await read(page, `/contacts/${ada.id}/notes`))[0]?.content === 'Met at the fair.',
    'the note is kept',
  )
  await page.getByRole('tab', { name: 'Tasks' }).click()
  await page.getByRole('button', { name: 'New task' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Call Ada')
  await page.getByRole('button', { name: 'Create' }).click()
  await until(async () => (await read(page, `/contacts/${ada.id}/tasks`))[0]?.title === 'Call Ada', 'the task is kept')
  await page.getByRole('tab', { name: 'CV and files' }).click()
  await page.getByText('No CV').waitFor()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'ada.txt', mimeType: 'text/plain', buffer: Buffer.from('Ada wrote programs.') })
  await page.getByText('Ada wrote programs.').waitFor()
  const cvName = async () => (await read(page, `/contacts/${ada.id}/cv`)).filename
  assert.equal(await cvName(), 'ada.txt')

  const drop = async (name, content) => {
    const data = await page.evaluateHandle(
      ([title, text]) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], title))
        return transfer
      },
      [name, content],
    )
    await page.getByRole('region', { name: 'Drop files here' }).first().dispatchEvent('drop', { dataTransfer: data })
  }
  await drop('x.exe', 'MZ')
  await page.getByText('“x.exe” is not a document. Choose a PDF, DOC, DOCX, ODT, RTF or TXT file.').waitFor()
  const question = page.getByRole('dialog', { name: 'Replace the CV?' })
  await drop('stray.txt', 'Dropped by accident.')
  await question.getByText('“stray.txt” takes the place of “ada.txt”.').waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  assert.equal(await cvName(), 'ada.txt')
  await drop('new.txt', 'Ada leads a laboratory.')
  await question.getByRole('button', { name: 'Replace CV' }).click()
  await page.getByText('Ada leads a laboratory.').waitFor()
  assert.equal(await cvName(), 'new.txt')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await cvName()) === 'ada.txt', 'the old CV is back')
  await page.getByText('Ada wrote programs.').waitFor()
})

test('a change of another user shows without reloading', async () => {
  const [ada] = await read(page, '/contacts?first_name=Ada')
  await page.goto(`/contacts/${ada.id}`)
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor()
  await write(page, 'PUT', `/contacts/${ada.id}`, { location: 'Turin' })
  await page.getByText('Turin').first().waitFor()
})

test('a company is added and edited', async () => {
  await page.goto('/companies?new=1')
  await page.getByRole('dialog').getByLabel('Name').fill('Engines Ltd')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Engines Ltd' }).waitFor()
  await page.getByRole('button', { name: 'Edit Industry' }).click()
  await page.getByRole('textbox', { name: 'Industry' }).fill('Machines')
  await page.keyboard.press('Enter')
  await until(async () => (await read(page, '/companies'))[0].industry === 'Machines', 'the industry is kept')
})

test('a deal is dragged to another stage, and closed', async () => {
  await page.goto('/deals?new=1')
  await page.getByRole('dialog').getByLabel('Title').fill('Ten engineers')
  await page.getByRole('dialog').getByLabel('Amount').fill('25000')
  await page.getByRole('button', { name: 'Create' }).click()
  const card = page.getByRole('listitem', { name: 'Ten engineers' })
  await card.waitFor()
  const [pipeline] = await read(page, '/deal-pipelines')
  await card.dragTo(page.getByRole('region', { name: 'Proposal' }))
  const proposal = pipeline.stages.find((stage) => stage.name === 'Proposal')
  await until(async () => (await read(page, '/deals'))[0].stage_id === proposal.id, 'the deal is in Proposal')

  await card.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await until(
    async () => (await read(page, '/deals'))[0].stage_id === pipeline.stages[3].id,
    'the keyboard moves it on',
  )
  await until(() => card.evaluate((one) => one === document.activeElement), 'the focus stays with the card')

  await card.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close deal' }).click()
  await until(async () => (await read(page, '/deals'))[0].status === 'won', 'it is won')
  assert.equal((await read(page, '/deals'))[0].signed_amount, 25000)
})

test('candidates are moved, rated and rejected by keyboard', async () => {
  await page.goto('/projects?new=1')
  await page.getByRole('dialog').getByLabel('Name').fill('Head of Engines')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Head of Engines' }).waitFor()
  const [project] = await read(page, '/projects')
  for (const contact of await read(page, '/contacts'))
    await write(page, 'POST', `/projects/${project.id}/entries`, { contact_id: contact.id })
  await page.reload()
  const card = (name) => page.getByRole('listitem', { name })
  const entryOf = async (name) =>
    (await read(page, `/projects/${project.id}/entries`)).find((one) => one.contact.first_name === name)
  await card('Ada Example').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await until(async () => (await entryOf('Ada')).stage.name === 'Contacted', 'Ada is contacted')
  await card('Grace').focus()
  await page.keyboard.press('4')
  await until(async () => (await entryOf('Grace')).rating === 4, 'Grace has four stars')
  await card('Grace').focus()
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByRole('group', { name: 'Reason' }).getByRole('button').first().click()
  await until(async () => (await entryOf('Grace')).rejection_reason_id !== null, 'Grace is rejected with a reason')
  await card('Ada Example').press('Enter')
  await page.getByRole('complementary', { name: 'Candidate' }).getByText('Ada wrote programs.').waitFor()
})

test('candidates are triaged with one or two keys each, and the panel follows the focus', async () => {
  const project = await write(page, 'POST', '/projects', { name: 'Triage' })
  for (const first_name of ['Dana', 'Cleo', 'Bela', 'Alex']) {
    const contact = await write(page, 'POST', '/contacts', { first_name })
    await write(page, 'POST', `/projects/${project.id}/entries`, { contact_id: contact.id })
  }
  const reasons = await read(page, '/reasons?kind=rejection')
  const entryOf = async (name) =>
    (await read(page, `/projects/${project.id}/entries`)).find((one) => one.contact.first_name === name)
  const focusIsOn = (name) =>
    until(
      () => page.evaluate((label) => document.activeElement?.getAttribute('aria-label') === label, name),
      `the focus is on ${name}`,
    )
  const panel = page.getByRole('complementary', { name: 'Candidate' })
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('listitem', { name: 'Alex' }).press('Enter')
  await panel.getByRole('link', { name: 'Alex' }).waitFor()
  const stages = project.pipeline?.stages ?? (await read(page, `/projects/${project.id}`)).pipeline.stages
  assert.equal(await panel.getByRole('group', { name: 'Stage' }).getByRole('button').count(), stages.length)
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const stage of stages) {
    const column = await page.getByRole('region', { name: stage.name }).boundingBox()
    assert.ok(column.x + column.width <= 1440 - 460, `${stage.name} is beside the panel`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  // Cancelling leaves the focus where it was.
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Reject Alex' }).waitFor()
  await page.keyboard.press('Escape')
  await focusIsOn('Alex')
  await page.keyboard.press('r')
  await page.keyboard.press('2')
  await focusIsOn('Bela')
  await panel.getByRole('link', { name: 'Bela' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Reject Bela' }).getByRole('button').nth(1).waitFor()
  await until(
    () => page.evaluate((name) => document.activeElement?.textContent.endsWith(name), reasons[0].name),
    'the first reason has the focus',
  )
  await page.keyboard.press('Enter')
  await focusIsOn('Cleo')
  await page.keyboard.press('3')
  await page.keyboard.press('ArrowDown')
  await focusIsOn('Dana')
  await panel.getByRole('link', { name: 'Dana' }).waitFor()
  await page.keyboard.press('r')
  await page.keyboard.press('0')
  await focusIsOn('Cleo')
  await until(async () => (await entryOf('Dana')).stage.name === 'Rejected', 'Dana is rejected')
  await page
    .getByRole('list', { name: stages[0].name })
    .getByRole('listitem', { name: 'Dana' })
    .waitFor({ state: 'detached' })
  // The last card of its column keeps the focus when it moves on.
  await page.keyboard.press('Shift+ArrowRight')
  await until(async () => (await entryOf('Cleo')).stage.name === 'Contacted', 'Cleo is contacted')
  await focusIsOn('Cleo')
  await page.keyboard.press('Shift+ArrowRight')
  await until(async () => (await entryOf('Cleo')).stage.name === stages[2].name, 'the next key moves Cleo again')
  await focusIsOn('Cleo')
  const judged = await Promise.all(['Alex', 'Bela', 'Dana', 'Cleo'].map(entryOf))
  assert.deepEqual(
    judged.map((one) => [one.rejection_reason_id, one.rating]),
    [
      [reasons[1].id, null],
      [reasons[0].id, null],
      [null, null],
      [null, 3],
    ],
  )
})

test('a task is done in the queue', async () => {
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Work through' }).click()
  await page.getByText('1 of 1').waitFor()
  await page.getByRole('button', { name: /^Done/ }).click()
  await until(async () => (await read(page, '/tasks'))[0].status === 'done', 'it is done')
})

test('the palette finds a person and goes there', async () => {
  await page.goto('/')
  await page.getByRole('heading', { name: 'Hello Olive' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Search people/).fill('ada exam')
  await page.getByRole('button', { name: /Ada Example/ }).click()
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor()
})

test('Enter in the palette opens the first result at any speed of typing, also of slow answers', async () => {
  const input = page.getByPlaceholder(/Search people/)
  const grace = await write(page, 'POST', '/contacts', {
    first_name: 'Grace',
    last_name: 'Murray',
    email: 'g1@example.com',
  })
  await write(page, 'POST', '/contacts', { first_name: 'Grace', last_name: 'Brewster', email: 'g2@example.com' })
  for (const [delay, patience] of [
    [0, 0],
    [60, 0],
    [0, 700],
  ]) {
    await page.goto('/tasks')
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.route('**/api/v1/contacts?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, patience))
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await until(async () => input.evaluate((one) => one === document.activeElement), 'the search has the focus')
    // The results of the first letters are other people.
    await page.keyboard.type('grace murray', { delay })
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contacts/${grace.id}`)
    await input.waitFor({ state: 'detached' })
    await page.unroute('**/api/v1/contacts?*')
  }

  await page.keyboard.press('Control+k')
  await input.fill('grace')
  await page.getByRole('button', { name: /Grace Murray.*g1@example\.com/ }).waitFor()
  await page.getByRole('button', { name: /Grace Brewster.*g2@example\.com/ }).waitFor()

  const run = async (words) => {
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await until(async () => input.evaluate((one) => one === document.activeElement), 'the search has the focus')
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  await run('custom fields')
  await page.waitForURL('**/settings/fields')
  await run('dark theme')
  await until(
    async () => (await page.locator('html').getAttribute('data-mantine-color-scheme')) === 'dark',
    'the theme is dark',
  )
  await run('system theme')
  await input.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await input.fill('sign out')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.keyboard.press('Escape')
})

test('two contacts are merged, and the merge is undone', async () => {
  await write(page, 'POST', '/contacts', { first_name: 'Ada', last_name: 'Twin', email: 'ada@example.com' })
  await page.goto('/duplicates')
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await until(async () => (await read(page, '/contacts?email=ada@example.com')).length === 1, 'one is left')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await read(page, '/contacts?email=ada@example.com')).length === 2, 'both are back')
})

test('a merge that ends a sequence warns first', async () => {
  const one = await write(page, 'POST', '/contacts', { first_name: 'Eve', last_name: 'Twin', email: 'eve@example.com' })
  const body = { first_name: 'Eva', last_name: 'Twin', email: 'eve@example.com', do_not_contact: true }
  const two = await write(page, 'POST', '/contacts', body)
  const sequence = await write(page, 'POST', '/sequences', {
    name: 'First contact',
    steps: [{ type: 'task', name: 'Call', delay_days: 1 }],
  })
  await write(page, 'POST', `/sequences/${sequence.id}/start`, {})
  await write(page, 'POST', `/sequences/${sequence.id}/enroll`, { contact_ids: [one.id] })
  const enrollments = () => read(page, `/sequences/${sequence.id}/enrollments`)
  await page.goto(`/duplicates?ids=${one.id},${two.id}`)
  const chosen = page.locator('section, .card').filter({ hasText: 'Selected records' }).first()
  await chosen.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('alert').getByText('First contact ends for Eve Twin').waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await enrollments())[0].status, 'active')
  await chosen.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('button', { name: 'Merge anyway' }).click()
  await until(async () => (await enrollments())[0].status === 'unenrolled', 'the sequence ended')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await enrollments())[0].status === 'active', 'the enrollment continues')
})

test('the console stayed quiet', () => {
  // The browser reports the refusals that the tests above provoke, too.
  assert.deepEqual(
    web.troubles.filter((one) => !/status of 400|status of 404 .*\/(contacts|companies)\/[0-9a-f-]{36}/.test(one)),
    [],
  )
})
