import { Button, Text } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put } from '../api/client'
import { refresh, useList } from '../api/query'
import type { Message } from '../api/types'
import { full } from '../fields/format'
import { useCan } from '../session'
import { Link } from '../shell/Link'
import { notify, notifyError, notifyWithUndo, withdrawUndo } from '../shell/notices'
import { Card } from '../shell/Page'
import classes from './compose.module.css'
import { TimeDialog, weekdayTime } from './SendLater'

/** Messages that wait for their time, the next one first. */
export const SCHEDULED = { status: 'queued', send_at: 'is.not_null', sort: 'send_at' } as const

export const isScheduled = (message: Message) => message.status === 'queued' && message.send_at !== null

export const isCancelled = (message: Message) => message.status === 'failed' && message.error === 'cancelled'

/** The notice of a message that is sent without a delay. */
export const QUEUED = 'Your message will be sent in a moment'

const again = () => refresh('messages', 'conversations', 'timeline')

/** A cancelled message can't be queued again, so the undo sends the same one. Its text contains the signature. */
const restore = ({ conversation_id, content, html, subject, cc, bcc, reply_to, send_at, channel }: Message) =>
  post(`/conversations/${conversation_id}/messages`, {
    content: html ?? content,
    send_at,
    ...(channel === 'email' ? { subject, cc, bcc, reply_to, signature: false } : {}),
  }).then(again)

/** When a message is sent, and what can be done about it until then. */
export function ScheduledLine({ message }: { message: Message }) {
  const may = useCan('messages:write') && !message.enrollment_id
  const [isMoving, setMoving] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const at = message.send_at ?? message.created_at
  const path = `/messages/${message.id}` as const
  const act = (request: Promise<unknown>, after: () => void) => {
    setBusy(true)
    request
      .then(after, notifyError)
      .finally(() => setBusy(false))
      .then(again)
  }
  const move = async (send_at: string) => {
    await put(path, { send_at })
    again()
    notifyWithUndo(`Scheduled for ${weekdayTime(send_at)}`, () => put(path, { send_at: at }).then(again), message.id)
  }
  const sendNow = () =>
    act(put(path, { send_at: null }), () => {
      withdrawUndo(message.id)
      notify(QUEUED)
    })
  const cancel = () =>
    act(post(`${path}/cancel`), () => {
      withdrawUndo(message.id)
      // The files of a stored message can't be attached to another one.
      if (message.attachments.length) notify('Message cancelled')
      else notifyWithUndo('Message cancelled', () => restore(message))
    })
  return (
    <div className={classes.when}>
      <IconClock size={14} aria-hidden />
      <Text size="xs" title={full(at)}>
        {new Date(at) < new Date() ? 'Was due' : 'Scheduled for'} {weekdayTime(at)}
      </Text>
      {may && (
        <>
          <Button size="compact-xs" variant="default" disabled={isBusy} onClick={sendNow}>
            Send now
          </Button>
          <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => setMoving(true)}>
            Change time
          </Button>
          <Button size="compact-xs" variant="default" disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
        </>
      )}
      {isMoving && (
        <TimeDialog
          title="Change time"
          action="Save"
          initial={new Date(at)}
          onClose={() => setMoving(false)}
          onSave={move}
        />
      )}
    </div>
  )
}

/** The scheduled messages to a contact; nothing if there are none. */
export function ContactScheduled({ contactId }: { contactId: string }) {
  const may = useCan('messages:read')
  const all = useList(may ? '/messages' : null, { ...SCHEDULED, limit: '100' }).data?.data ?? []
  const own = all.filter((one) => one.contact_id === contactId)
  if (own.length === 0) return null
  return (
    <div style={{ marginBottom: 16 }}>
      <Card title="Scheduled messages" flush>
        {own.map((message) => (
          <div key={message.id} className={`row-link ${classes.scheduled}`}>
            <Link to={`/inbox?open=${message.conversation_id}`} className="quiet strong cut">
              {message.subject ?? message.content}
            </Link>
            <ScheduledLine message={message} />
          </div>
        ))}
      </Card>
    </div>
  )
}
