import { Alert, Button, Group, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { address, post, put } from '../api/client'
import { refresh, useAction, useGet, useList, usePages } from '../api/query'
import type { Conversation, Event, Message } from '../api/types'
import { ago, full, size } from '../fields/format'
import { Chip } from '../fields/Show'
import { words } from '../fields/spec'
import { personName, useCan, useSession } from '../session'
import { Named } from '../shell/Avatar'
import { useDraft } from '../shell/drafts'
import { Kind } from '../shell/icons'
import { Link } from '../shell/Link'
import { Loaded } from '../shell/Page'
import { fail, undoable, Words } from '../shell/tell'
import classes from './inbox.module.css'
import { Mail } from './Mail'

type Props = {
  id: string
  onBack: () => void
  /** The conversation was archived or reopened. */
  onTurned: () => void
}

export function Thread({ id, onBack, onTurned }: Props) {
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
      {() => record && <Open record={record} messages={messages} may={may} onBack={onBack} onTurned={onTurned} />}
    </Loaded>
  )
}

type OpenProps = {
  record: Conversation
  messages: ReturnType<typeof usePages<`/conversations/${string}/messages`>>
  may: boolean
  onBack: () => void
  onTurned: () => void
}

function Open({ record, messages, may, onBack, onTurned }: OpenProps) {
  const authors = useAuthors(record.contact_id)
  const log = useRef<HTMLDivElement>(null)
  const reply = useRef<HTMLTextAreaElement>(null)
  // The server lists the newest first and unsent messages last: both belong at the bottom here.
  const all = messages.data?.pages.flatMap((page) => page.data) ?? []
  const ordered = [...all].sort((a, b) => (a.sent_at ?? a.created_at).localeCompare(b.sent_at ?? b.created_at))
  // The newest message stays in sight while mails get their heights, unless the user has scrolled up.
  const isAtEnd = useRef(true)
  useEffect(() => {
    const box = log.current
    if (!box) return
    const show = () => {
      if (isAtEnd.current) box.scrollTop = box.scrollHeight
    }
    const observer = new ResizeObserver(show)
    for (const one of box.children) observer.observe(one)
    show()
    return () => observer.disconnect()
  })
  const turn = (status: Conversation['status']) =>
    put(`/conversations/${record.id}`, { status }).then(() => {
      refresh('conversations')
      onTurned()
      undoable(status === 'archived' ? 'Conversation archived' : 'Conversation reopened', () =>
        put(`/conversations/${record.id}`, { status: record.status }).then(() => refresh('conversations')),
      )
    }, fail)
  const other = record.status === 'open' ? 'archived' : 'open'
  useHotkeys([
    ['e', () => may && turn(other)],
    ['r', () => reply.current?.focus()],
  ])
  return (
    <>
      <header className={classes.head}>
        <span className="only-small">
          <Button size="compact-xs" variant="default" onClick={onBack}>
            Back
          </Button>
        </span>
        <Link to={`/contacts/${record.contact.id}`} className="quiet strong">
          <Named name={personName(record.contact)} size={28} />
        </Link>
        <Kind of={record.channel} />
        <span className="grow cut dim">{record.subject ?? words(record.channel)}</span>
        {may && (
          <Button variant="default" onClick={() => turn(other)}>
            {record.status === 'open' ? 'Archive' : 'Reopen'}
          </Button>
        )}
      </header>
      <div
        ref={log}
        className={classes.messages}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached with the keyboard
        tabIndex={0}
        role="log"
        aria-label="Messages"
        onScroll={({ currentTarget: box }) => {
          isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40
        }}
      >
        {messages.hasNextPage && (
          <Button variant="subtle" color="gray" onClick={() => messages.fetchNextPage()}>
            Show older
          </Button>
        )}
        {ordered.map((message) => (
          <One key={message.id} message={message} author={authors.get(message.id)} record={record} />
        ))}
      </div>
      {may && <Reply record={record} field={reply} />}
    </>
  )
}

/** Who wrote each message of a contact, as far as the timeline goes back. */
function useAuthors(contactId: string): Map<string, Event['actor']> {
  const events = useGet(`/contacts/${contactId}/timeline`, { types: 'message', limit: '100' }).data?.data
  // The newest come first, so the event that created a message is set last.
  return useMemo(() => new Map((events ?? []).map((event) => [event.record.id, event.actor])), [events])
}

function SequenceName({ enrollmentId }: { enrollmentId: string }) {
  const enrollment = useGet(`/enrollments/${enrollmentId}`, undefined, { staleTime: 300_000 }).data?.data
  const sequence = useGet(enrollment ? `/sequences/${enrollment.sequence_id}` : null, undefined, {
    staleTime: 300_000,
  }).data?.data
  if (!enrollment || !sequence) return 'Sequence'
  return (
    <>
      Sequence <Link to={`/sequences/${sequence.id}`}>{sequence.name}</Link>
    </>
  )
}

type Author = Event['actor'] | undefined

function Sender({ message, author, record }: { message: Message; author: Author; record: Conversation }) {
  const session = useSession()
  const maySee = useCan('sequences:read')
  const accounts = useList('/connected-accounts', undefined, { staleTime: 300_000 }).data?.data ?? []
  if (message.direction === 'inbound') {
    return (
      <>
        <b>{personName(record.contact)}</b> {message.address}
      </>
    )
  }
  if (message.enrollment_id) return maySee ? <SequenceName enrollmentId={message.enrollment_id} /> : 'Sequence'
  if (author?.kind === 'user') return <b>{author.id === session.user.user_id ? 'You' : author.name}</b>
  if (author?.kind === 'key') return <b>API key {author.name}</b>
  // Written in another program: only the account is known.
  return <b>{accounts.find((one) => one.id === record.account_id)?.name ?? 'Sent'}</b>
}

function One({ message, author, record }: { message: Message; author: Author; record: Conversation }) {
  const out = message.direction === 'outbound'
  return (
    <article className={classes.message} data-out={out || undefined} data-html={message.html ? true : undefined}>
      <Group gap={8} mb={4}>
        <Text size="xs" c="dimmed" title={full(message.sent_at ?? message.created_at)}>
          <Sender message={message} author={author} record={record} /> · {ago(message.sent_at ?? message.created_at)}
        </Text>
        {(message.status === 'queued' || message.status === 'failed') && <Chip value={message.status} />}
        {message.kind !== 'message' && <span className="tag">{words(message.kind)}</span>}
      </Group>
      <Mail text={message.content} html={message.html} title={message.subject ?? 'Message'} />
      {message.error && (
        <Text size="xs" c="red" mt={4}>
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

function Reply({ record, field }: { record: Conversation; field: RefObject<HTMLTextAreaElement | null> }) {
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
        ref={field}
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
