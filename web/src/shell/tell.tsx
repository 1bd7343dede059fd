import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client'

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
        {error instanceof Error ? error.message : String(error)}
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
  return found && <span role="alert">{found.reason}</span>
}

/** Whether all problems are shown at these fields, so that no notice is needed. */
export const isPlaced = (error: unknown, fields: string[]) =>
  error instanceof ApiError &&
  error.problems.length > 0 &&
  error.problems.every((problem) => fields.includes(problem.field))

/** Shows what was done and offers to undo it. */
export function undoable(message: string, undo: () => Promise<unknown>) {
  const id = notifications.show({
    withBorder: true,
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          style={{ flex: 'none' }}
          onClick={() => {
            notifications.hide(id)
            undo().then(() => done('Undone'), fail)
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
