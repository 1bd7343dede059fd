import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core'
import { IconInbox, IconKeyboard, IconMessages } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { firstOf, type Params } from '../api/client'
import { usePages } from '../api/query'
import { SCHEDULED } from '../compose/Scheduled'
import { options } from '../fields/spec'
import { CONVERSATION_CHOICES } from '../generated/fields'
import { useSession } from '../session'
import { CopyRequest } from '../shell/Copy'
import { help } from '../shell/help'
import { undoLatest } from '../shell/notices'
import { Empty, Loaded, Page } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import { SearchField } from '../table/SearchBox'
import { ConversationRow } from './ConversationRow'
import { DraftList, OpenDraft, useDrafts } from './DraftList'
import classes from './inbox.module.css'
import { ScheduledList, useScheduled } from './ScheduledList'
import { Thread } from './Thread'

type Search = { list?: string; channel?: string; search?: string; open?: string; draft?: string }

const LISTS = [
  { value: 'all', label: 'All', none: 'No conversations' },
  { value: 'mine', label: 'Mine', none: 'No conversation is assigned to you' },
  { value: 'unassigned', label: 'Unassigned', none: 'Every conversation is assigned' },
  { value: 'unread', label: 'Unread', none: 'Everything is read' },
  { value: 'snoozed', label: 'Snoozed', none: 'No conversation is snoozed' },
  { value: 'scheduled', label: 'Scheduled', none: '' },
  { value: 'drafts', label: 'Drafts', none: '' },
  { value: 'archived', label: 'Archived', none: 'No conversation is archived' },
]

/** The filters of a list. A search in “All” also finds what is snoozed or archived. */
function filtersOf(list: string, me: string, search?: string): Params {
  const inbox: Params = { status: 'open', snoozed_until: 'is.null', sort: '-active_at' }
  switch (list) {
    case 'mine':
      return { ...inbox, assigned_to: me }
    case 'unassigned':
      return { ...inbox, assigned_to: 'is.null' }
    case 'unread':
      return { ...inbox, unread_count: 'gt.0' }
    case 'snoozed':
      return { status: 'open', snoozed_until: 'is.not_null', sort: 'snoozed_until' }
    case 'archived':
      return { status: 'archived', sort: '-active_at' }
    default:
      return search ? { sort: '-active_at' } : inbox
  }
}

/** Conversations on the left, the open one on the right. J and K move between them; the rest is in `Actions`. */
export function Inbox() {
  const navigate = useNavigate()
  const search = useSearch({ from: '__root__' })
  const sought = firstOf(search.search)
  const me = useSession().user.user_id
  const list = LISTS.some((one) => one.value === search.list) ? search.list : 'all'
  const params: Params = { limit: '50', ...filtersOf(list ?? 'all', me, sought) }
  if (sought) params.search = sought
  if (search.channel) params.channel = search.channel
  const isScheduled = list === 'scheduled'
  const isDrafts = list === 'drafts'
  const conversations = usePages(isScheduled || isDrafts ? null : '/conversations', params)
  const scheduled = useScheduled(isScheduled, search.channel, sought)
  const drafts = useDrafts(isDrafts || Boolean(search.draft), search.channel, sought)
  const all = conversations.data?.pages.flatMap((page) => page.data) ?? []
  const waiting = scheduled.data?.pages.flatMap((page) => page.data) ?? []
  const listed = isScheduled
    ? waiting.map((one) => one.conversation_id)
    : isDrafts
      ? drafts.shown.flatMap((one) => one.conversation_id ?? [])
      : all.map((one) => one.id)
  const ids = [...new Set(listed)]
  const set = (changes: Search) => navigate({ to: '.', search: { ...search, ...changes }, replace: true })
  const step = (by: number) => {
    const at = ids.indexOf(search.open ?? '')
    const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
    if (next) set({ open: next })
  }
  useKeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['z', undoLatest],
  ])
  return (
    <Page
      title="Inbox"
      flush
      head={
        <div className={classes.lists} data-open={search.open ? true : undefined}>
          <SegmentedControl
            size="xs"
            aria-label="Which conversations"
            data={LISTS.map(({ value, label }) => ({ value, label }))}
            value={list}
            onChange={(next) => set({ list: next, open: undefined })}
          />
        </div>
      }
      actions={
        <div className={classes.tools} data-open={search.open ? true : undefined}>
          {isScheduled ? (
            <CopyRequest path="/messages" params={SCHEDULED} />
          ) : isDrafts ? (
            <CopyRequest path="/message-drafts" params={{}} />
          ) : (
            <CopyRequest path="/conversations" params={params} />
          )}
          <SearchField
            label="Search messages"
            asked={sought ?? ''}
            onSearch={(words) => set({ search: words, open: undefined })}
          />
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
          <ActionIcon
            className="not-small"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={help}
          >
            <IconKeyboard size={18} />
          </ActionIcon>
        </div>
      }
    >
      <div className={classes.split} data-open={search.open ? true : undefined}>
        <nav className={classes.list} aria-label="Conversations">
          {isScheduled ? (
            <ScheduledList messages={scheduled} open={search.open} onOpen={(id) => set({ open: id })} />
          ) : isDrafts ? (
            <DraftList
              drafts={drafts}
              isSearch={Boolean(sought)}
              open={search.open}
              onOpen={({ id, conversation_id }) => set(conversation_id ? { open: conversation_id } : { draft: id })}
              onDiscarded={(draft) => search.open === draft.conversation_id && set({ open: undefined })}
            />
          ) : (
            <Loaded of={conversations}>
              {() =>
                all.length === 0 ? (
                  sought ? (
                    <Empty icon={IconInbox} title="No conversations match">
                      A search finds subjects, texts and addresses. All words must be in one message.
                    </Empty>
                  ) : (
                    <Empty icon={IconInbox} title={LISTS.find((one) => one.value === list)?.none ?? ''}>
                      Messages that you send and replies that arrive through a connected account appear here.
                    </Empty>
                  )
                ) : (
                  <>
                    {all.map((one) => (
                      <ConversationRow
                        key={one.id}
                        record={one}
                        isOpen={one.id === search.open}
                        onOpen={() => set({ open: one.id })}
                      />
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
          )}
        </nav>
        <section className={classes.thread} aria-label="Messages">
          {search.open ? (
            <Thread
              key={search.open}
              id={search.open}
              onBack={() => set({ open: undefined })}
              onTurned={() => {
                const at = ids.indexOf(search.open ?? '')
                if (at >= 0) set({ open: ids[at + 1] ?? ids[at - 1] })
              }}
            />
          ) : (
            <Empty icon={IconMessages} title={isDrafts ? 'Choose a draft' : 'Choose a conversation'}>
              J and K go through the list, E archives, R replies, A assigns, H snoozes. ? shows all keys.
            </Empty>
          )}
        </section>
      </div>
      {search.draft && (
        <OpenDraft key={search.draft} id={search.draft} drafts={drafts.all} onClose={() => set({ draft: undefined })} />
      )}
    </Page>
  )
}
