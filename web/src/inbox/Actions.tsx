import { Button, Menu } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconClock, IconMailOpened, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put } from '../api/client'
import type { BodyOf } from '../api/paths'
import { refresh, useList } from '../api/query'
import type { Conversation } from '../api/types'
import { SearchMenu } from '../compose/SearchMenu'
import { morning, TimeDialog, TimeItems, weekdayTime } from '../compose/SendLater'
import { personName, useMembers, useSession } from '../session'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { useKeys } from '../shell/useKeys'
import classes from './inbox.module.css'

type Props = {
  record: Conversation
  /** Closes the conversation. */
  onBack: () => void
  /** The conversation has left the list. */
  onTurned: () => void
}

type Changes = BodyOf<`/conversations/${string}`, 'put'>

/** What a member does with a conversation, each by a button and by a key. */
export function Actions({ record, onBack, onTurned }: Props) {
  const path = `/conversations/${record.id}` as const
  const again = () => refresh('conversations')
  /** Saves a change and offers to undo it. */
  const change = async (to: Changes, from: Changes, message: string) => {
    await put(path, to)
    again()
    notifyWithUndo(message, () => put(path, from).then(again))
  }
  const { status, snoozed_until, assigned_to } = record
  const other = status === 'open' ? 'archived' : 'open'
  const turn = () =>
    change(
      { status: other },
      // Archiving ends a snooze, so the undo brings it back.
      { status, snoozed_until },
      other === 'archived' ? 'Conversation archived' : 'Conversation reopened',
    ).then(onTurned, notifyError)
  const unread = () => {
    // An open conversation is marked as read, so it is closed first.
    onBack()
    post(`${path}/unread`).then(again, notifyError)
  }
  const snooze = async (until: string | null) => {
    // A conversation that is archived can't be snoozed, so it is opened, too.
    const message = until ? `Snoozed until ${weekdayTime(until)}` : 'Snooze ended'
    await change({ status: 'open', snoozed_until: until }, { snoozed_until, status }, message)
    onTurned()
  }
  useKeys([
    ['e', turn],
    ['u', unread],
  ])
  return (
    <div className={classes.actions}>
      <Assign
        record={record}
        onAssign={(member, message) => change({ assigned_to: member }, { assigned_to }, message).catch(notifyError)}
      />
      <Snooze until={snoozed_until} onSnooze={snooze} />
      <Button variant="default" leftSection={<IconMailOpened size={14} />} onClick={unread}>
        Mark unread
      </Button>
      <Button
        variant="default"
        leftSection={status === 'open' ? <IconArchive size={14} /> : <IconArchiveOff size={14} />}
        onClick={turn}
      >
        {status === 'open' ? 'Archive' : 'Reopen'}
      </Button>
    </div>
  )
}

const NOBODY = 'nobody'

type AssignProps = { record: Conversation; onAssign: (member: string | null, message: string) => void }

function Assign({ record, onAssign }: AssignProps) {
  const me = useSession().user.user_id
  const { members, nameOf } = useMembers()
  const accounts = useList('/connected-accounts', undefined, { staleTime: 300_000 }).data?.data ?? []
  // Nobody else sees the conversations of a private mailbox.
  const isPrivate = accounts.find((one) => one.id === record.account_id)?.visibility === 'owner'
  const others = members.filter((one) => one.user_id !== me && !isPrivate)
  const assigned = record.assigned_to
  const items = [
    { value: me, label: `${nameOf(me)} (you)` },
    ...others.map((one) => ({ value: one.user_id, label: personName(one), note: one.email })),
    ...(assigned ? [{ value: NOBODY, label: 'Nobody' }] : []),
  ].filter((one) => one.value !== assigned)
  return (
    <SearchMenu
      label={assigned ? nameOf(assigned) || (members.length ? 'A former member' : 'Assigned') : 'Assign'}
      icon={IconUserPlus}
      variant="default"
      hotkey="a"
      items={items}
      empty="There are no other members."
      onPick={(value) => {
        if (value === NOBODY) onAssign(null, 'Assigned to nobody')
        else onAssign(value, value === me ? 'Assigned to you' : `Assigned to ${nameOf(value)}`)
      }}
    />
  )
}

type SnoozeProps = { until: string | null; onSnooze: (until: string | null) => Promise<unknown> }

function Snooze({ until, onSnooze }: SnoozeProps) {
  const [isOpen, setOpen] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  useKeys([['h', () => setOpen(true)]])
  const pick = (at: string | null) => onSnooze(at).catch(notifyError)
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconClock size={14} />}>
            {until ? `Until ${weekdayTime(until)}` : 'Snooze'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {until && <Menu.Item onClick={() => pick(null)}>End snooze</Menu.Item>}
          <TimeItems onPick={pick} onOther={() => setChoosing(true)} />
        </Menu.Dropdown>
      </Menu>
      {isChoosing && (
        <TimeDialog
          title="Snooze"
          action="Snooze"
          initial={morning(1)}
          field="snoozed_until"
          note="A message that is received before ends the snooze."
          onClose={() => setChoosing(false)}
          onSave={onSnooze}
        />
      )}
    </>
  )
}
