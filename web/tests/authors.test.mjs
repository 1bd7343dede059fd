// Who wrote a message, also in long threads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { office, read, write } from './support.mjs'

const { server, web, page } = await office()

test('the author of an old message is shown, behind a hundred newer ones', async () => {
  const [, chat, token] = await server.beside(['sandbox'], /chat (\S+) (\S+)\n[\s\S]*ready/)
  server.run('accounts', 'add', '--provider', 'chat', '--name', 'Phone', '--url', chat, '--token', token)
  const { id } = await write(page, 'POST', '/contacts', {
    first_name: 'Ada',
    last_name: 'Example',
    phone: '+3225550100',
  })
  const key = server.run('keys', 'create', '--name', 'Website', '--bundle', 'full_access').match(/relata_\w+/)?.[0]
  const answer = await fetch(`${server.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ contact_id: id, channel: 'chat', content: 'By a program' }),
  })
  assert.equal(answer.status, 201)
  const conversation = (await answer.json()).data.conversation_id
  for (let number = 1; number <= 104; number += 1)
    await write(page, 'POST', `/conversations/${conversation}/messages`, { content: `Message ${number}` })
  // The newest hundred events are not enough.
  const events = await read(page, `/contacts/${id}/timeline?types=message.created&limit=100`)
  assert.ok(events.every((one) => one.actor.kind === 'user'))

  await page.goto(`/inbox?open=${conversation}`)
  const log = page.getByRole('log')
  await log.getByText('Message 104', { exact: true }).waitFor()
  const first = log.getByRole('article').filter({ hasText: 'By a program' })
  while ((await first.count()) === 0) {
    const shown = await log.getByRole('article').count()
    await log.getByRole('button', { name: 'Show older' }).click()
    await page.waitForFunction((before) => document.querySelectorAll('[role=log] article').length > before, shown)
  }
  await first.getByText('API key Website').waitFor()
  await log.getByRole('article').filter({ hasText: 'Message 1' }).first().getByText('You', { exact: true }).waitFor()
  assert.deepEqual(web.troubles, [])
})
