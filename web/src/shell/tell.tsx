import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client'
import { capital, sentence } from '../fields/format'

export const done = (message: string) => notifications.show({ message, withBorder: true })

/** Shows an error message with the id that finds the request in the logs. */
export function fail(error: unknown) {
  const known = error instanceof ApiError ? error : null
  notifications.show({
    color: 'red',
    title: known?.status === 0 ? 'No connection' : 'That did not work',
    withBorder: true,
    autoClose: 12_000,
    message: <Words error={error} />,
  })
}

export function Words({ error }: { error: unknown }) {
  const known = error instanceof ApiError ? error : null
  return (
    <div role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {capital(error instanceof Error ? error.message : String(error))}
      </Text>
      {known?.requestId && (
        <Text size="xs" c="dimmed">
          Request {known.requestId}
        </Text>
      )}
    </div>
  )
}

/** The problem with one member of a request, for its field. */
export function problemOf(error: unknown, field: string): ReactNode {
  const found = error instanceof ApiError ? error.problems.find((one) => one.field === field) : undefined
  return found && <Problem field={field}>{sentence(found.reason)}</Problem>
}

/** A problem at its field, which is removed when the field is changed. */
export const Problem = ({ field, children }: { field: string; children: ReactNode }) => (
  <span role="alert" data-problem={field}>
    {children}
  </span>
)

/** The problems with a member that is a list, or with its items: `cc.0`. */
export function problemIn(error: unknown, field: string): ReactNode {
  const problems = error instanceof ApiError ? error.problems : []
  const reasons = problems.filter((one) => memberOf(one.field) === field).map((one) => one.reason)
  return reasons.length > 0 && <Problem field={field}>{reasons.map(sentence).join('. ')}</Problem>
}

/** The member of a body that a problem names: `cc` of `cc.0`. */
export const memberOf = (field: string) => field.split('.')[0]

/** Whether all problems are shown at these fields, so that no notice is needed. */
export const isPlaced = (error: unknown, fields: string[]) =>
  error instanceof ApiError &&
  error.problems.length > 0 &&
  error.problems.every(
    ({ field }) => fields.includes(field) || (/\.\d+$/.test(field) && fields.includes(memberOf(field))),
  )

/** The open offers to undo a change, by the id of the changed record. */
const offers = new Map<string, string>()

/** Removes the offer to undo the last change of a record, because a newer change has made it impossible or wrong. */
export function withdrawUndo(record: string) {
  const id = offers.get(record)
  if (id) notifications.hide(id)
  offers.delete(record)
}

/** What the newest notice offers to undo. */
let latest: { id: string; undo: () => void } | null = null

/** Undoes what the newest notice offers to undo, while it is shown. */
export const undoLatest = () => latest?.undo()

/** Shows what was done and offers to undo it. The offer replaces an older one for the same record, if that is named. */
export function undoable(message: string, undo: () => Promise<unknown>, record?: string) {
  if (record) withdrawUndo(record)
  const run = () => {
    notifications.hide(id)
    undo().then(() => done('Undone'), fail)
  }
  const id = notifications.show({
    withBorder: true,
    autoClose: 10_000,
    onClose: () => {
      if (latest?.id === id) latest = null
    },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button size="compact-xs" variant="default" style={{ flex: 'none' }} onClick={run}>
          Undo
        </Button>
      </Group>
    ),
  })
  if (record) offers.set(record, id)
  latest = { id, undo: run }
}
