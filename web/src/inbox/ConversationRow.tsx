import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useGet } from '../api/query'
import type { Conversation } from '../api/types'
import { failureOf, hasBounced, hasFailed, reportOf } from '../compose/failures'
import { weekdayTime } from '../compose/SendLater'
import { ago } from '../fields/format'
import { humanize } from '../fields/spec'
import { personName, useMembers } from '../session'
import { Avatar } from '../shell/Avatar'
import { Kind } from '../shell/icons'
import classes from './inbox.module.css'

type Props = { record: Conversation; isOpen: boolean; onOpen: () => void }

export function ConversationRow({ record, isOpen, onOpen }: Props) {
  const { nameOf } = useMembers()
  const isUnread = record.unread_count > 0
  return (
    <button
      type="button"
      className={classes.item}
      data-active={isOpen || undefined}
      aria-current={isOpen || undefined}
      onClick={onOpen}
    >
      <Avatar name={personName(record.contact)} size={36} />
      <span className="grow">
        <span className={classes.top}>
          <span className="cut" style={{ fontWeight: isUnread ? 620 : 500 }}>
            {personName(record.contact)}
          </span>
          {isUnread && (
            <span className={classes.unread} title="Unread">
              <span className="signal" />
              {record.unread_count}
            </span>
          )}
          <span className="grow" />
          <span className={classes.channel}>
            <Kind of={record.channel} size={14} />
          </span>
          <span className="dim">{ago(record.last_message_at)}</span>
        </span>
        <span className={classes.top}>
          <span className="grow cut" style={{ fontWeight: isUnread ? 550 : undefined }}>
            {record.subject ?? humanize(record.channel)}
          </span>
          {record.assigned_to && (
            <span className={classes.assigned} title={`Assigned to ${nameOf(record.assigned_to) || 'a former member'}`}>
              <Avatar name={nameOf(record.assigned_to)} size={18} />
            </span>
          )}
        </span>
        {record.snoozed_until && (
          <span className={classes.snoozed}>
            <IconClock size={12} aria-hidden /> Until {weekdayTime(record.snoozed_until)}
          </span>
        )}
        <Preview record={record} />
      </span>
    </button>
  )
}

/** The beginning of the newest message, or why it failed; fetched when the conversation is scrolled into sight. */
function Preview({ record }: { record: Conversation }) {
  const line = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!line.current || isSeen) return
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && setSeen(true))
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [isSeen])
  const { message, failure } = useNewest(record, isSeen)
  return (
    <span
      ref={line}
      className={failure ? 'dim' : 'cut dim'}
      style={{ display: 'block', minHeight: '1.5em', fontSize: '0.75rem' }}
    >
      {failure ? (
        <span className={classes.failed}>
          <IconAlertTriangle size={12} aria-hidden /> {!failure.isUnknown && 'Not delivered: '}
          {failure.title}
        </span>
      ) : (
        <>
          {message?.direction === 'outbound' && '→ '}
          {message?.content.replace(/\s+/g, ' ').slice(0, 120)}
        </>
      )}
    </span>
  )
}

/** The newest message of a conversation, and its failure. The server lists messages that were never sent last. */
function useNewest(record: Conversation, isSeen: boolean) {
  const path = `/conversations/${record.id}/messages` as const
  const newest = useGet(isSeen ? path : null, { limit: '1' }, { staleTime: 60_000 }).data?.data[0]
  const isBounce = newest?.kind === 'bounce'
  // A message moves its conversation when it is queued, so there is one after the newest that was sent or received.
  const hasLater = newest && (record.last_message_at ?? '') > (newest.sent_at ?? '')
  const failed =
    useGet(isBounce || hasLater ? path : null, { status: 'failed', limit: '20' }, { staleTime: 60_000 }).data?.data ??
    []
  if (isBounce || newest?.kind === 'complaint')
    return { message: newest, failure: reportOf(newest, failed.find(hasBounced)?.error) }
  let last = newest
  for (const one of failed) if (hasFailed(one) && one.created_at > (last?.created_at ?? '')) last = one
  return { message: last, failure: last && hasFailed(last) ? failureOf(last.error ?? '') : null }
}
