import { Alert, Button, Group, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { address, post } from '../api/client'
import { refresh, useGet, useList, usePages } from '../api/query'
import type { Conversation, Message } from '../api/types'
import { Composer } from '../compose/Composer'
import { failureOf, hasBounced, hasFailed, isReport, reportOf } from '../compose/failures'
import { isCancelled, isScheduled, ScheduledLine } from '../compose/Scheduled'
import { weekdayTime } from '../compose/SendLater'
import type { TextField } from '../compose/textField'
import { useMessageDraft } from '../compose/useMessageDraft'
import { ago, full, size } from '../fields/format'
import { Chip } from '../fields/Show'
import { humanize } from '../fields/spec'
import { personName, useCan, useSession } from '../session'
import { Avatar, Named } from '../shell/Avatar'
import { Kind } from '../shell/icons'
import { Link } from '../shell/Link'
import { notify, notifyError } from '../shell/notices'
import { Loaded } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import { Actions } from './Actions'
import { embeddedFiles } from './embedded'
import { FailureNote } from './FailureNote'
import classes from './inbox.module.css'
import { Mail } from './Mail'

type Props = {
  id: string
  onBack: () => void
  /** The conversation has left the list. */
  onTurned: () => void
}

export function Thread({ id, onBack, onTurned }: Props) {
  const conversation = useGet(`/conversations/${id}`)
  const messages = usePages(`/conversations/${id}/messages`, { limit: '50' })
  const record = conversation.data?.data
  const unread = record?.unread_count ?? 0
  const may = useCan('messages:write')
  useEffect(() => {
    if (unread > 0 && may) post(`/conversations/${id}/read`).then(() => refresh('conversations'), notifyError)
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
  const log = useRef<HTMLDivElement>(null)
  const reply = useRef<TextField>(null)
  // The server lists the newest first and unsent messages last: both belong at the bottom here.
  const all = messages.data?.pages.flatMap((page) => page.data) ?? []
  const ordered = [...all].sort((a, b) => timeOf(a).localeCompare(timeOf(b)))
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
  useKeys([['r', () => reply.current?.focus()]])
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
        <span className={`cut dim ${classes.subject}`}>{record.subject ?? humanize(record.channel)}</span>
        {may && <Actions record={record} onBack={onBack} onTurned={onTurned} />}
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
        {ordered.map((message, at) => (
          <One
            key={message.id}
            message={message}
            record={record}
            // A report is about the message that came back last.
            bounced={isReport(message) ? ordered.slice(0, at).findLast(hasBounced)?.error : null}
          />
        ))}
      </div>
      {may && (
        <Reply record={record} to={ordered.findLast((one) => one.address && !isReport(one))?.address} field={reply} />
      )}
    </>
  )
}

/** When a message was sent or will be. */
const timeOf = (message: Message) =>
  message.sent_at ?? (isScheduled(message) ? message.send_at : null) ?? message.created_at

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

function Sender({ message, record }: { message: Message; record: Conversation }) {
  const session = useSession()
  const maySee = useCan('sequences:read')
  const accounts = useList('/connected-accounts', undefined, { staleTime: 300_000 }).data?.data ?? []
  if (isReport(message)) {
    return (
      <>
        <b>Mail server</b> {message.address}
      </>
    )
  }
  if (message.direction === 'inbound') {
    return (
      <>
        <b>{personName(record.contact)}</b> {message.address}
      </>
    )
  }
  if (message.enrollment_id) return maySee ? <SequenceName enrollmentId={message.enrollment_id} /> : 'Sequence'
  if (message.author_kind === 'user') {
    return <b>{message.author_id === session.user.user_id ? 'You' : message.author_name}</b>
  }
  if (message.author_kind === 'key') return <b>API key {message.author_name}</b>
  // Written in another program: only the account is known.
  return <b>{accounts.find((one) => one.id === record.account_id)?.name ?? 'Sent'}</b>
}

/** The face of a person who wrote a message; sequences and keys have none. */
function SenderAvatar({ message, record }: { message: Message; record: Conversation }) {
  if (isReport(message)) return null
  if (message.direction === 'inbound') return <Avatar name={personName(record.contact)} />
  if (message.author_kind !== 'user' || !message.author_name) return null
  return <Avatar name={message.author_name} />
}

type OneProps = {
  message: Message
  record: Conversation
  /** Why the message came back that a report is about. */
  bounced?: string | null
}

function One({ message, record, bounced }: OneProps) {
  const out = message.direction === 'outbound'
  const report = reportOf(message, bounced)
  const shown = new Set(embeddedFiles(message.html, message.attachments).values())
  const listed = message.attachments.filter((one) => !shown.has(one))
  const mail = (
    <>
      <Mail
        text={message.content}
        quoted={message.quoted}
        html={message.html}
        title={message.subject ?? 'Message'}
        messageId={message.id}
        attachments={message.attachments}
      />
      {listed.map((one) => (
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
    </>
  )
  return (
    <article className={classes.message} data-out={out || undefined} data-html={message.html ? true : undefined}>
      <Group gap={8} mb={4}>
        <SenderAvatar message={message} record={record} />
        <Text size="xs" c="dimmed" title={full(message.sent_at ?? message.created_at)}>
          <Sender message={message} record={record} /> · {ago(message.sent_at ?? message.created_at)}
        </Text>
        {isCancelled(message) ? (
          <span className="tag">Cancelled</span>
        ) : (
          (message.status === 'queued' || message.status === 'failed') &&
          !isScheduled(message) && <Chip value={message.status} />
        )}
        {message.kind !== 'message' && <span className="tag">{humanize(message.kind)}</span>}
      </Group>
      {hasFailed(message) && message.error && (
        <FailureNote failure={failureOf(message.error)} contactId={record.contact.id}>
          {message.error}
        </FailureNote>
      )}
      {report ? (
        <FailureNote failure={report} contactId={record.contact.id}>
          {mail}
        </FailureNote>
      ) : (
        mail
      )}
      <Copies message={message} />
      {isScheduled(message) && (
        <div style={{ marginTop: 8 }}>
          <ScheduledLine message={message} />
        </div>
      )}
    </article>
  )
}

/** Further recipients of a sent mail. */
function Copies({ message }: { message: Message }) {
  const lines = [
    message.cc.length > 0 && `Cc ${message.cc.join(', ')}`,
    message.bcc.length > 0 && `Bcc ${message.bcc.join(', ')}`,
    message.reply_to && `Replies to ${message.reply_to}`,
  ].filter(Boolean)
  if (lines.length === 0) return null
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {lines.join(' · ')}
    </Text>
  )
}

type ReplyProps = {
  record: Conversation
  /** The address that was used last, to which the reply goes. */
  to: string | null | undefined
  field: RefObject<TextField | null>
}

function Reply({ record, to, field }: ReplyProps) {
  const writing = useMessageDraft(record.contact.id, record.id)
  const accounts = useList('/connected-accounts', undefined, { staleTime: 300_000 }).data?.data ?? []
  const enrolled =
    useList(useCan('sequences:read') ? `/contacts/${record.contact.id}/enrollments` : null, {
      status: 'active',
    }).data?.data ?? []
  const sequence = useGet(enrolled.length ? `/sequences/${enrolled[0].sequence_id}` : null).data?.data
  return (
    <div className={classes.reply}>
      {enrolled.length > 0 && (
        <Alert variant="outline" color="gray" p={8} mb={8}>
          {personName(record.contact)} is in {sequence ? `the sequence “${sequence.name}”` : 'a sequence'}
          {enrolled.length > 1 && ` and ${enrolled.length - 1} more`}. What you write does not stop it: a reply of
          theirs does, or you <Link to={`/sequences/${enrolled[0].sequence_id}?open=enrollments`}>end it</Link>.
        </Alert>
      )}
      <Composer
        contactId={record.contact.id}
        channel={record.channel}
        account={accounts.find((one) => one.id === record.account_id)}
        to={to}
        writing={writing}
        hasSubject={false}
        label="Reply"
        minRows={2}
        field={field}
        send={(written) => post(`/conversations/${record.id}/messages`, written)}
        onSent={({ send_at }) => {
          refresh('messages', 'conversations')
          if (send_at) notify(`Scheduled for ${weekdayTime(send_at)}`)
        }}
      />
    </div>
  )
}
