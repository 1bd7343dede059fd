import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useGet } from '../api/query'
import { Compose } from '../compose/Compose'
import { plainText } from '../compose/formatted'
import { type Stored, useDiscard } from '../compose/useMessageDraft'
import { ago } from '../fields/format'
import { humanize } from '../fields/spec'
import { personName, useCan } from '../session'
import { Avatar } from '../shell/Avatar'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { Empty, Loaded } from '../shell/Page'
import classes from './inbox.module.css'

const textOf = (draft: Stored) =>
  plainText(draft.content ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** The drafts of the user, the last change first. The server has at most 500 and no search for them. */
export function useDrafts(isOn: boolean, channel?: string, search?: string) {
  const query = useGet(isOn ? '/message-drafts' : null)
  const sought = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const all = query.data?.data ?? []
  const shown = all.filter((one) => {
    const text = `${one.subject} ${textOf(one)} ${one.cc.join(' ')} ${one.bcc.join(' ')}`.toLowerCase()
    return (!channel || one.channel === channel) && sought.every((word) => text.includes(word))
  })
  return { query, all, shown }
}

type Props = {
  drafts: ReturnType<typeof useDrafts>
  isSearch: boolean
  /** The conversation that is open. */
  open?: string
  onOpen: (draft: Stored) => void
  onDiscarded: (draft: Stored) => void
}

/** Messages and replies that were begun and not sent. */
export function DraftList({ drafts, isSearch, open, onOpen, onDiscarded }: Props) {
  return (
    <Loaded of={drafts.query}>
      {() =>
        drafts.shown.length > 0 ? (
          drafts.shown.map((one) => (
            <Row
              key={one.id}
              draft={one}
              isOpen={Boolean(open) && one.conversation_id === open}
              onOpen={() => onOpen(one)}
              onDiscarded={() => onDiscarded(one)}
            />
          ))
        ) : isSearch ? (
          <Empty icon={IconPencil} title="No drafts match" />
        ) : (
          <Empty icon={IconPencil} title="No drafts">
            A message or reply that you begin and don’t send is kept here. Only you see it.
          </Empty>
        )
      }
    </Loaded>
  )
}

type RowProps = { draft: Stored; isOpen: boolean; onOpen: () => void; onDiscarded: () => void }

function Row({ draft, isOpen, onOpen, onDiscarded }: RowProps) {
  const contact = useGet(`/contacts/${draft.contact_id}`, undefined, { staleTime: 300_000 })
  const conversation = useGet(draft.conversation_id ? `/conversations/${draft.conversation_id}` : null).data?.data
  const may = useCan('messages:write')
  const discard = useDiscard(draft)
  const name = contact.data ? personName(contact.data.data) : contact.isError ? 'Contact not found' : ''
  const subject = draft.subject || conversation?.subject || (draft.channel === 'email' ? 'No subject' : '')
  const remove = () =>
    discard().then((restore) => {
      onDiscarded()
      notifyWithUndo('Draft discarded', restore, draft.id)
    }, notifyError)
  return (
    <div className={classes.draft}>
      <button
        type="button"
        className={classes.item}
        data-active={isOpen || undefined}
        aria-current={isOpen || undefined}
        onClick={onOpen}
      >
        <Avatar name={name} size={36} />
        <span className="grow">
          <span className={classes.top}>
            <span className="grow cut strong">{name}</span>
            <span className="dim">{ago(draft.updated_at)}</span>
          </span>
          <span className="cut" style={{ display: 'block' }}>
            <span className="tag">{draft.conversation_id ? 'Reply' : 'New'}</span>
            {subject || humanize(draft.channel)}
          </span>
          <span className="cut dim" style={{ display: 'block', minHeight: '1.5em', fontSize: '0.75rem' }}>
            {textOf(draft).slice(0, 120)}
          </span>
        </span>
      </button>
      {may && (
        <ActionIcon
          className={classes.discard}
          aria-label={`Discard the draft to ${name}`}
          title="Discard draft"
          onClick={remove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

type OpenProps = { id: string; drafts: Stored[]; onClose: () => void }

/** The composer with the draft of a new message; nothing if there is no such draft. */
export function OpenDraft({ id, drafts, onClose }: OpenProps) {
  const found = drafts.find((one) => one.id === id)
  // A draft whose text is deleted leaves the list, and the composer stays open.
  const [contactId, setContactId] = useState(found?.contact_id)
  if (!contactId && found) setContactId(found.contact_id)
  const contact = useGet(contactId ? `/contacts/${contactId}` : null).data?.data
  return contact ? <Compose contact={contact} opened onClose={onClose} /> : null
}
