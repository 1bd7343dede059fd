import { ActionIcon, Button, Group, Modal, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { refresh } from '../api/query'
import { fail, Words } from '../shell/tell'

/** A dialog that keeps something; it stays open and says why if the server refuses. */
export function Dialog(props: {
  title: string
  action: string
  onClose: () => void
  onKeep: () => Promise<unknown>
  children: ReactNode
}) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await props.onKeep()
      props.onClose()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={props.onClose} title={props.title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {props.children}
          {error !== undefined && <Words error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={busy}>
              {props.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Deleting asks once more, in place. */
export function Delete({
  label,
  onDelete,
  words,
}: {
  label: string
  onDelete: () => Promise<unknown>
  words: string[]
}) {
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <ActionIcon aria-label={label} onClick={() => setAsking(true)}>
        <IconTrash size={14} />
      </ActionIcon>
    )
  }
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        size="compact-xs"
        color="red.9"
        autoFocus
        onBlur={() => setAsking(false)}
        onClick={() => onDelete().then(() => refresh(...words), fail)}
      >
        Really?
      </Button>
    </Group>
  )
}
