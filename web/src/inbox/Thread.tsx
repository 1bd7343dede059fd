import { Alert, Anchor, Button, Group, Text, Textarea } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { address, post, put } from '../api/client'
import { refresh, useAction, useGet, useList, usePages } from '../api/query'
import type { Conversation, Message } from '../api/types'
import { ago, full, size } from '../fields/format'
import { Chip } from '../fields/Show'
import { words } from '../fields/spec'
import { personName, useCan } from '../session'
import { useDraft } from '../shell/drafts'
import { Link } from '../shell/Link'
import { Loaded } from '../shell/Page'
import { fail, undoable, Words } from '../shell/tell'
import classes from './inbox.module.css'

export function Thread({ id, onBack }: { id: string; onBack: () => void }) {
  const conversation = useGet(`/conversations/${id}`)
  const messages = usePages(`/conversations/${id}/messages`, { limit: '50' })
  const record = conversation.data?.data
  const unread = record?.unread_count ?? 0
  const may = useCan('messages:write')
  useEffect(() => {
    if (unread > 0 && may) post(`/conversations/${id}/read`).then(() => refresh('conversations'), fail)
  }, [id, unread, may])
  return (
    <Loaded of={conversation}>
      {() => record && <Open record={record} messages={messages} may={may} onBack={onBack} />}
    </Loaded>
  )
}

type OpenProps = {
  record: Conversation
  messages: ReturnType<typeof usePages<`/conversations/${string}/messages`>>
  may: boolean
  onBack: () => void
}

function Open({ record, messages, may, onBack }: OpenProps) {
  const bottom = useRef<HTMLDivElement>(null)
  // The server lists the newest first and unsent messages last: both belong at the bottom here.
  const all = messages.data?.pages.flatMap((page) => page.data) ?? []
  const ordered = [...all].sort((a, b) => (a.sent_at ?? a.created_at).localeCompare(b.sent_at ?? b.created_at))
  const number = ordered.length
  useEffect(() => {
    if (number > 0) bottom.current?.scrollIntoView({ block: 'end' })
  }, [number])
  const turn = (status: Conversation['status']) =>
    put(`/conversations/${record.id}`, { status }).then(() => {
      refresh('conversations')
      undoable(status === 'archived' ? 'Conversation archived' : 'Conversation open again', () =>
        put(`/conversations/${record.id}`, { status: record.status }).then(() => refresh('conversations')),
      )
    }, fail)
  return (
    <>
      <header className={classes.head}>
        <span className="only-small">
          <Button size="compact-xs" variant="default" onClick={onBack}>
            Back
          </Button>
        </span>
        <Anchor component={Link} to={`/contacts/${record.contact.id}`} fw={600}>
          {personName(record.contact)}
        </Anchor>
        <span className="grow cut dim">{record.subject ?? words(record.channel)}</span>
        {may && (
          <Button variant="default" onClick={() => turn(record.status === 'open' ? 'archived' : 'open')}>
            {record.status === 'open' ? 'Archive' : 'Open again'}
          </Button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached with the keyboard */}
      <div className={classes.messages} tabIndex={0} role="log" aria-label="Messages">
        {messages.hasNextPage && (
          <Button variant="subtle" color="gray" onClick={() => messages.fetchNextPage()}>
            Show older
          </Button>
        )}
        {ordered.map((message) => (
          <One key={message.id} message={message} />
        ))}
        <div ref={bottom} />
      </div>
      {may && <Reply record={record} />}
    </>
  )
}

function One({ message }: { message: Message }) {
  const out = message.direction === 'outbound'
  return (
    <article className={classes.message} data-out={out || undefined}>
      <Group gap={8} mb={4}>
        <Text size="xs" c="dimmed" title={full(message.sent_at ?? message.created_at)}>
          {out ? 'You' : message.address} · {ago(message.sent_at ?? message.created_at)}
        </Text>
        {(message.status === 'queued' || message.status === 'failed') && <Chip value={message.status} />}
        {message.kind !== 'message' && <span className="tag">{words(message.kind)}</span>}
      </Group>
      <div style={{ whiteSpace: 'pre-wrap' }}>{message.content}</div>
      {message.error && (
        <Text size="xs" c="red.9" mt={4}>
          {message.error}
        </Text>
      )}
      {message.attachments.map((one) => (
        <div key={one.id}>
          {one.left_out ? (
            one.filename
          ) : (
            <a href={address(one.path.replace(/^\/api\/v1/, ''))} download={one.filename}>
              {one.filename}
            </a>
          )}{' '}
          <span className="dim">
            {size(one.size)}
            {one.left_out && ` · Not stored: ${one.left_out}`}
          </span>
        </div>
      ))}
    </article>
  )
}

function Reply({ record }: { record: Conversation }) {
  const [text, setText] = useDraft(`/conversations/${record.id}`)
  const enrolled =
    useList(useCan('sequences:read') ? `/contacts/${record.contact.id}/enrollments` : null, {
      status: 'active',
    }).data?.data ?? []
  const sequence = useGet(enrolled.length ? `/sequences/${enrolled[0].sequence_id}` : null).data?.data
  const send = useAction(
    () => post(`/conversations/${record.id}/messages`, { content: text }),
    () => {
      setText('')
      refresh('messages', 'conversations')
    },
  )
  return (
    <form
      className={classes.reply}
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate(undefined)
      }}
    >
      {enrolled.length > 0 && (
        <Alert variant="outline" color="gray" p={8} mb={8}>
          {personName(record.contact)} is in {sequence ? `the sequence “${sequence.name}”` : 'a sequence'}
          {enrolled.length > 1 && ` and ${enrolled.length - 1} more`}. What you write does not stop it: a reply of
          theirs does, or you <Link to={`/sequences/${enrolled[0].sequence_id}?open=enrollments`}>end it</Link>.
        </Alert>
      )}
      <Textarea
        aria-label="Reply"
        placeholder="Reply (Ctrl-Enter sends)"
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) =>
          event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text.trim() && send.mutate(undefined)
        }
      />
      {send.error && <Words error={send.error} />}
      <Group justify="flex-end" mt={6}>
        <Button type="submit" disabled={!text.trim()} loading={send.isPending}>
          Send
        </Button>
      </Group>
    </form>
  )
}
