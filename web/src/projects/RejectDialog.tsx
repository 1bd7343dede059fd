import { Button, Kbd, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useList } from '../api/query'
import { Modal } from '../shell/Modal'

type Props = {
  /** A name, or the number of candidates. */
  who: string
  onClose: () => void
  onReject: (reason: string | null) => void
}

/** The reasons by their keys: 1 to 9, and 0 for none. One key rejects; the arrows and Enter do, too. */
export function RejectDialog({ who, onClose, onReject }: Props) {
  const found = useList('/reasons', { kind: 'rejection' }, { staleTime: 300_000 }).data?.data
  const [pressed, setPressed] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const choices = [...(found ?? []).map((one) => ({ id: one.id, name: one.name })), { id: null, name: 'No reason' }]
  const keyOf = (index: number) => (index === choices.length - 1 ? 0 : index + 1)
  const reject = useRef(onReject)
  reject.current = onReject
  useEffect(() => {
    // Before the board, whose focused card would be rated.
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !/^[0-9]$/.test(event.key)) return
      event.preventDefault()
      event.stopPropagation()
      setPressed(Number(event.key))
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [])
  // A key that was pressed before the reasons were there counts as soon as they are.
  useEffect(() => {
    if (pressed === undefined || !found) return
    setPressed(undefined)
    if (pressed === 0) reject.current(null)
    else if (found[pressed - 1]) reject.current(found[pressed - 1].id)
  }, [pressed, found])
  const first = found !== undefined
  useEffect(() => {
    if (first) list.current?.querySelector('button')?.focus()
  }, [first])
  const step = (by: number) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((one) => one.matches(':focus'))
    buttons[(at + by + buttons.length) % buttons.length]?.focus()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Reject ${who}`}
      closeButtonProps={{ 'aria-label': 'Cancel' }}
      returnFocus={false}
    >
      <Text size="sm" c="dimmed" mb="xs">
        Choose the reason, or press its key.
      </Text>
      <Stack
        ref={list}
        gap={4}
        role="group"
        aria-label="Reason"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          step(event.key === 'ArrowDown' ? 1 : -1)
        }}
      >
        {first &&
          choices.map((one, index) => (
            <Button
              key={one.id ?? 'none'}
              data-autofocus={index === 0 || undefined}
              variant="default"
              size="sm"
              justify="flex-start"
              fullWidth
              leftSection={keyOf(index) < 10 && <Kbd aria-hidden>{keyOf(index)}</Kbd>}
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={() => onReject(one.id)}
            >
              {one.name}
            </Button>
          ))}
      </Stack>
    </Modal>
  )
}
