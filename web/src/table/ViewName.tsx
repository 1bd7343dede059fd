import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../api/client'
import { useAction } from '../api/query'
import type { View } from '../api/types'
import { Modal } from '../shell/Modal'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { useProblems } from '../shell/useProblems'

export type Named = { name: string; shared: boolean }

type Props = {
  title: string
  /** The name so far; a new view has none. */
  view?: View
  onClose: () => void
  save: (named: Named) => Promise<Answer<View>>
  onSaved: (view: View) => void
}

/** Asks for the name of a view, and whether others see it. */
export function ViewName({ title, view, onClose, save, onSaved }: Props) {
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const action = useAction(save, (answer) => onSaved(answer.data))
  const { left, solve } = useProblems(action.error)
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          action.mutate({ name, shared })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={(event) => {
              solve('name')
              setName(event.currentTarget.value)
            }}
            error={problemOf(left, 'name')}
          />
          <Checkbox
            label="Everybody in the workspace sees it"
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          {left && !isPlaced(left, ['name']) && <ErrorMessage error={left} />}
          <Group justify="flex-end">
            <Button type="submit" loading={action.isPending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
