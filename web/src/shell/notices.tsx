import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '../api/client'
import { ErrorMessage } from './problems'

/** Shows a notice of what was done. */
export const notify = (message: string) => notifications.show({ message, withBorder: true })

/** Shows an error message with the id that finds the request in the logs. */
export function notifyError(error: unknown) {
  const known = error instanceof ApiError ? error : null
  notifications.show({
    color: 'red',
    title: known?.status === 0 ? 'No connection' : 'That did not work',
    withBorder: true,
    autoClose: 12_000,
    message: <ErrorMessage error={error} />,
  })
}

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
export function notifyWithUndo(message: string, undo: () => Promise<unknown>, record?: string) {
  if (record) withdrawUndo(record)
  const run = () => {
    notifications.hide(id)
    undo().then(() => notify('Undone'), notifyError)
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
