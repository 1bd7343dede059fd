import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Modal } from './Modal'

type Question = {
  /** The question: `Archive “First contact”?` */
  title: string
  /** The consequences. */
  text?: ReactNode
  /** The label of the button that confirms, a verb. */
  action: string
  cancel?: string
  /** Something is lost: the focus starts on the button that cancels. */
  danger?: boolean
}

type Open = Question & { answer: (yes: boolean) => void }

let show: ((question: Open) => void) | undefined

/**
 * Asks the user and waits for the answer. Enter confirms, but keeps what a confirmation would destroy; Escape cancels; the
 * focus returns to where it was.
 */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((answer) => (show ? show({ ...question, answer }) : answer(false)))

/** Shows the question of `ask`. */
export function Ask() {
  const [open, setOpen] = useState<Open>()
  useEffect(() => {
    show = (next) =>
      setOpen((previous) => {
        previous?.answer(false)
        return next
      })
    return () => {
      show = undefined
    }
  }, [])
  if (!open) return null
  const end = (yes: boolean) => {
    setOpen(undefined)
    open.answer(yes)
  }
  return (
    <Modal opened onClose={() => end(false)} title={open.title} withCloseButton={false} zIndex={390}>
      <Stack gap="sm">
        {open.text && <Text size="sm">{open.text}</Text>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" data-autofocus={open.danger || undefined} onClick={() => end(false)}>
            {open.cancel ?? 'Cancel'}
          </Button>
          <Button
            data-autofocus={!open.danger || undefined}
            color={open.danger ? 'red.9' : undefined}
            // The key or the double click that opened the question must not answer it.
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            onClick={(event) => event.detail <= 1 && end(true)}
          >
            {open.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
