import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { refresh } from '../api/query'
import { focusOn, Modal } from '../shell/Modal'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { useProblems } from '../shell/useProblems'

/**
 * A dialog that saves something; if the server refuses, it stays open and says why. Children that are a function get the
 * problem of each of the `fields` and show it there; they also get the error itself.
 */
export function Dialog(props: {
  title: string
  /** The label of the button below; without it the children have a button that submits. */
  action?: string
  onClose: () => void
  onSave: () => Promise<unknown>
  fields?: string[]
  size?: number
  /** A problem that is shown already has to be solved first. */
  isBlocked?: boolean
  children: ReactNode | ((problem: (field: string) => ReactNode, error: unknown) => ReactNode)
}) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [typed, setTyped] = useState(false)
  const { left, solveAt } = useProblems(error)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await props.onSave()
      props.onClose()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={props.onClose} title={props.title} size={props.size} unsaved={typed}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: an option that is chosen by a key is clicked, too */}
      <form
        onSubmit={submit}
        onInput={(event) => {
          setTyped(true)
          solveAt(event)
        }}
        onClick={solveAt}
      >
        <Stack gap="sm">
          {typeof props.children === 'function'
            ? props.children((field) => problemOf(left, field), left)
            : props.children}
          {left !== undefined && !isPlaced(left, props.fields ?? []) && <ErrorMessage error={left} />}
          {props.action && (
            <Group justify="flex-end">
              <Button type="submit" loading={busy} disabled={props.isBlocked}>
                {props.action}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Modal>
  )
}

/** A button that asks before it deletes: the dialog names the record and the consequences. */
export function Delete(props: {
  /** Names the record: `Remove Ada Byron`. */
  label: string
  /** The label of the confirming button. */
  action: string
  /** The consequences for the record and for those that depend on it. */
  children: ReactNode
  onDelete: () => Promise<unknown>
  /** The queries to refetch. */
  refreshes: string[]
}) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAsking(false)
    setError(undefined)
  }
  const confirm = async (event: MouseEvent) => {
    // The second click of a double click.
    if (event.detail > 1) return
    setBusy(true)
    try {
      await props.onDelete()
      // The button disappears with its row.
      focusOn(button.current?.closest<HTMLElement>('.card') ?? null)
      close()
      refresh(...props.refreshes)
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <ActionIcon ref={button} aria-label={props.label} onClick={() => setAsking(true)}>
        <IconTrash size={14} />
      </ActionIcon>
      {asking && (
        <Modal opened onClose={close} title={`${props.label}?`} closeOnClickOutside={false} withCloseButton={false}>
          <Stack gap="sm">
            <Text size="sm">{props.children}</Text>
            {error !== undefined && <ErrorMessage error={error} />}
            <Group justify="flex-end">
              <Button variant="default" data-autofocus onClick={close}>
                Cancel
              </Button>
              <Button color="red" loading={busy} onClick={confirm}>
                {props.action}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  )
}
