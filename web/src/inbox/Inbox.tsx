import { Button, SegmentedControl, Select } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconInbox, IconMessages } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Params } from '../api/client'
import { useGet, usePages } from '../api/query'
import { ago } from '../fields/format'
import { options, words } from '../fields/spec'
import { CONVERSATION_CHOICES } from '../generated/fields'
import { personName } from '../session'
import { Avatar } from '../shell/Avatar'
import { CopyRequest } from '../shell/Copy'
import { Kind } from '../shell/icons'
import { Empty, Loaded, Page } from '../shell/Page'
import classes from './inbox.module.css'
import { splitText } from './quotes'
import { Thread } from './Thread'

type Search = { list?: string; channel?: string; open?: string }

/** Conversations on the left, the open one on the right. J and K move between them, E archives, R replies. */
export function Inbox() {
  const navigate = useNavigate()
  const search = useSearch({ from: '__root__' })
  const list = search.list ?? 'open'
  const params: Params = { limit: '50' }
  if (list === 'unread') params.unread_count = 'gt.0'
  params.status = list === 'archived' ? 'archived' : 'open'
  if (search.channel) params.channel = search.channel
  const conversations = usePages('/conversations', params)
  const all = conversations.data?.pages.flatMap((page) => page.data) ?? []
  const set = (changes: Search) => navigate({ to: '.', search: { ...search, ...changes }, replace: true })
  const step = (by: number) => {
    const at = all.findIndex((one) => one.id === search.open)
    const next = all[Math.min(Math.max(at + by, 0), all.length - 1)]
    if (next) set({ open: next.id })
  }
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ])
  return (
    <Page
      title="Inbox"
      flush
      head={
        <SegmentedControl
          size="xs"
          aria-label="Which conversations"
          data={[
            { value: 'open', label: 'Open' },
            { value: 'unread', label: 'Unread' },
            { value: 'archived', label: 'Archived' },
          ]}
          value={list}
          onChange={(next) => set({ list: next, open: undefined })}
        />
      }
      actions={
        <>
          <CopyRequest path="/conversations" params={params} />
          <Select
            size="xs"
            w={140}
            aria-label="Channel"
            placeholder="All channels"
            clearable
            data={options(...CONVERSATION_CHOICES.channel)}
            value={search.channel ?? null}
            onChange={(channel) => set({ channel: channel ?? undefined })}
          />
        </>
      }
    >
      <div className={classes.split} data-open={search.open ? true : undefined}>
        <nav className={classes.list} aria-label="Conversations">
          <Loaded of={conversations}>
            {() =>
              all.length === 0 ? (
                <Empty icon={IconInbox} title={list === 'unread' ? 'Everything is read' : 'No conversations'}>
                  Messages that you send and replies that arrive through a connected account appear here.
                </Empty>
              ) : (
                <>
                  {all.map((one) => (
                    <button
                      key={one.id}
                      type="button"
                      className={classes.item}
                      data-active={one.id === search.open || undefined}
                      aria-current={one.id === search.open || undefined}
                      onClick={() => set({ open: one.id })}
                    >
                      <Avatar name={personName(one.contact)} size={36} />
                      <span className="grow">
                        <span className={classes.top}>
                          <span className="cut" style={{ fontWeight: one.unread_count ? 620 : 500 }}>
                            {personName(one.contact)}
                          </span>
                          {one.unread_count > 0 && (
                            <span className={classes.unread} title="Unread">
                              <span className="signal" />
                              {one.unread_count}
                            </span>
                          )}
                          <span className="grow" />
                          <span className={classes.channel}>
                            <Kind of={one.channel} size={14} />
                          </span>
                          <span className="dim">{ago(one.last_message_at)}</span>
                        </span>
                        <span
                          className="cut"
                          style={{ display: 'block', fontWeight: one.unread_count ? 550 : undefined }}
                        >
                          {one.subject ?? words(one.channel)}
                        </span>
                        <Preview id={one.id} />
                      </span>
                    </button>
                  ))}
                  {conversations.hasNextPage && (
                    <Button m="sm" variant="default" onClick={() => conversations.fetchNextPage()}>
                      Show more
                    </Button>
                  )}
                </>
              )
            }
          </Loaded>
        </nav>
        <section className={classes.thread} aria-label="Messages">
          {search.open ? (
            <Thread
              key={search.open}
              id={search.open}
              onBack={() => set({ open: undefined })}
              onTurned={() => {
                const at = all.findIndex((one) => one.id === search.open)
                if (at >= 0) set({ open: (all[at + 1] ?? all[at - 1])?.id })
              }}
            />
          ) : (
            <Empty icon={IconMessages} title="Choose a conversation">
              J and K go through the list, E archives, R replies.
            </Empty>
          )}
        </section>
      </div>
    </Page>
  )
}

/** The beginning of the newest message, fetched when the conversation is scrolled into sight. */
function Preview({ id }: { id: string }) {
  const line = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!line.current || isSeen) return
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && setSeen(true))
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [isSeen])
  const [message] =
    useGet(isSeen ? `/conversations/${id}/messages` : null, { limit: '1' }, { staleTime: 60_000 }).data?.data ?? []
  const text = message && splitText(message.content).shown.replace(/\s+/g, ' ').slice(0, 120)
  return (
    <span ref={line} className="cut dim" style={{ display: 'block', minHeight: '1.5em', fontSize: '0.75rem' }}>
      {message?.direction === 'outbound' && '→ '}
      {text}
    </span>
  )
}
