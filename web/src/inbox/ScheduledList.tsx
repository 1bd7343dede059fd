import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useGet, usePages } from '../api/query'
import type { Message } from '../api/types'
import { SCHEDULED } from '../compose/Scheduled'
import { weekdayTime } from '../compose/SendLater'
import { personName } from '../session'
import { Avatar } from '../shell/Avatar'
import { Empty, Loaded } from '../shell/Page'
import classes from './inbox.module.css'

export const useScheduled = (isOn: boolean, channel?: string, search?: string) =>
  usePages(isOn ? '/messages' : null, {
    ...SCHEDULED,
    limit: '50',
    ...(channel ? { channel } : {}),
    ...(search ? { search } : {}),
  })

type Props = { messages: ReturnType<typeof useScheduled>; open?: string; onOpen: (conversation: string) => void }

/** The messages of all conversations that wait for their time. */
export function ScheduledList({ messages, open, onOpen }: Props) {
  const all = messages.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Loaded of={messages}>
      {() =>
        all.length === 0 ? (
          <Empty icon={IconClock} title="No scheduled messages">
            “Send later” beside Send schedules a message. It waits here until its time.
          </Empty>
        ) : (
          <>
            {all.map((one) => (
              <Row key={one.id} message={one} isOpen={one.conversation_id === open} onOpen={onOpen} />
            ))}
            {messages.hasNextPage && (
              <Button m="sm" variant="default" onClick={() => messages.fetchNextPage()}>
                Show more
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  )
}

type RowProps = { message: Message; isOpen: boolean; onOpen: (conversation: string) => void }

function Row({ message, isOpen, onOpen }: RowProps) {
  const conversation = useGet(`/conversations/${message.conversation_id}`).data?.data
  const name = conversation ? personName(conversation.contact) : (message.address ?? '')
  return (
    <button
      type="button"
      className={classes.item}
      data-active={isOpen || undefined}
      aria-current={isOpen || undefined}
      onClick={() => onOpen(message.conversation_id)}
    >
      <Avatar name={name} size={36} />
      <span className="grow">
        <span className={classes.top}>
          <span className="grow cut strong">{name}</span>
          <span className="dim">{weekdayTime(message.send_at ?? message.created_at)}</span>
        </span>
        <span className="cut" style={{ display: 'block' }}>
          {message.subject ?? message.content}
        </span>
        {message.subject && (
          <span className="cut dim" style={{ display: 'block', fontSize: '0.75rem' }}>
            {message.content.replace(/\s+/g, ' ').slice(0, 120)}
          </span>
        )}
      </span>
    </button>
  )
}
