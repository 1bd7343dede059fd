import { Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { Modal } from '../shell/Modal'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import classes from './compose.module.css'

const MORNING = 9

const WHEN = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** A time with its day of the week, in the time zone of the browser. */
export const weekdayTime = (at: string | Date) => WHEN.format(new Date(at))

/** The morning of a day that is so many days ahead. */
export function morning(days: number): Date {
  const date = new Date()
  date.setDate(date.getDate() + days)
  date.setHours(MORNING, 0, 0, 0)
  return date
}

/** The end of office hours: later than this, “Later today” is not offered. */
const EVENING = 18

/** The times that people usually choose. On a Sunday tomorrow is Monday. */
function usualTimes(): { label: string; at: Date }[] {
  const now = new Date()
  const today = new Date(now)
  today.setHours(now.getHours() + 3, 0, 0, 0)
  const untilMonday = (8 - now.getDay()) % 7 || 7
  return [
    ...(now.getHours() + 3 <= EVENING ? [{ label: 'Later today', at: today }] : []),
    { label: 'Tomorrow morning', at: morning(1) },
    ...(untilMonday > 1 ? [{ label: 'Monday morning', at: morning(untilMonday) }] : []),
  ]
}

/** A time as the browser's input for date and time writes it. */
const asInput = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

type ItemsProps = { onPick: (at: string) => unknown; onOther: () => void }

/** The usual times as items of a menu, and one item for any other time. */
export const TimeItems = ({ onPick, onOther }: ItemsProps) => (
  <>
    {usualTimes().map(({ label, at }) => (
      <Menu.Item
        key={label}
        rightSection={<span className="dim">{weekdayTime(at)}</span>}
        onClick={() => onPick(at.toISOString())}
      >
        {label}
      </Menu.Item>
    ))}
    <Menu.Item onClick={onOther}>Date and time…</Menu.Item>
  </>
)

type MenuProps = { disabled?: boolean; onPick: (at: string) => Promise<unknown> }

/** A button with times at which a message can be sent. */
export function SendLater({ disabled, onPick }: MenuProps) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconClock size={14} />} disabled={disabled}>
            Send later
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <TimeItems onPick={onPick} onOther={() => setChoosing(true)} />
        </Menu.Dropdown>
      </Menu>
      {isChoosing && (
        <TimeDialog
          title="Send later"
          action="Schedule"
          initial={morning(1)}
          onClose={() => setChoosing(false)}
          onSave={async (at) => onPick(at)}
        />
      )}
    </>
  )
}

type PlannedProps = { at: string; isReady: boolean; onSchedule: (at: string) => unknown; onRemove: () => void }

/** The time of a draft, which a program may have set. Nothing is sent then unless the message is scheduled. */
export function Planned({ at, isReady, onSchedule, onRemove }: PlannedProps) {
  const isPast = new Date(at) < new Date()
  return (
    <div role="note" aria-label="Planned time" className={classes.when}>
      <IconClock size={14} aria-hidden />
      <Text size="xs">
        {isPast ? 'Was planned for' : 'Planned for'} {weekdayTime(at)}
      </Text>
      {!isPast && (
        <Button size="compact-xs" variant="default" disabled={!isReady} onClick={() => onSchedule(at)}>
          Schedule
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={onRemove}>
        Remove time
      </Button>
    </div>
  )
}

type DialogProps = {
  title: string
  action: string
  initial: Date
  /** The member of the request that the time is for. */
  field?: string
  note?: string
  onClose: () => void
  onSave: (at: string) => Promise<unknown>
}

/** Asks for a date and a time. A refusal is shown at the field. */
export function TimeDialog({ title, action, initial, field = 'send_at', note, onClose, onSave }: DialogProps) {
  const [text, setText] = useState(() => asInput(initial))
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const at = new Date(text)
  const isPast = at.getTime() < Date.now()
  const save = async () => {
    setBusy(true)
    try {
      await onSave(at.toISOString())
      onClose()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Modal opened onClose={onClose} title={title} size={360}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The dialog may be inside the form of a message.
          event.stopPropagation()
          if (!isPast) save()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Date and time"
            description={`Your time zone: ${zone}`}
            type="datetime-local"
            required
            data-autofocus
            value={text}
            onChange={(event) => {
              setError(undefined)
              setText(event.currentTarget.value)
            }}
            error={isPast ? <span role="alert">This time is in the past</span> : problemOf(error, field)}
          />
          <Text size="xs" c="dimmed">
            {note ?? 'A reply that arrives before does not stop the message.'}
          </Text>
          {error !== undefined && !isPlaced(error, [field]) && <ErrorMessage error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy} disabled={!text || isPast}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
