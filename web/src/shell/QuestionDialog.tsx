import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type OpenQuestion, onQuestion } from './ask'
import { Modal } from './Modal'

/** Shows the question of `ask`. */
export function QuestionDialog() {
  const [open, setOpen] = useState<OpenQuestion>()
  useEffect(
    () =>
      onQuestion((next) =>
        setOpen((previous) => {
          previous?.answer(false)
          return next
        }),
      ),
    [],
  )
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
