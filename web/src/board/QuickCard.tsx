import { ActionIcon, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useAction } from '../api/query'
import { useDraft } from '../shell/drafts'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { useProblems } from '../shell/useProblems'
import classes from './board.module.css'

type Props = {
  /** What is added and where: `deal in Lead`. */
  what: string
  /** The member of the record that is typed: `title`. */
  field: string
  draft: string
  add: (text: string) => Promise<unknown>
}

/** Whether the input of a column is open, and the button that opens it. */
export function useQuickCard({ what, draft }: Pick<Props, 'what' | 'draft'>) {
  const [text] = useDraft(draft)
  const [opened, setOpened] = useState(text !== '')
  const button = (
    <ActionIcon aria-label={`Add a ${what}`} aria-expanded={opened} onClick={() => setOpened(!opened)}>
      <IconPlus size={16} />
    </ActionIcon>
  )
  return { opened, close: () => setOpened(false), button }
}

/** Adds a record by its name alone. Enter adds it and waits for the next one, Escape closes; unsent text is kept. */
export function QuickCard({ what, field, draft, add, onClose }: Props & { onClose: () => void }) {
  const [text, setText] = useDraft(draft)
  const action = useAction(
    () => add(text.trim()),
    () => setText(''),
  )
  const { left, solve } = useProblems(action.error)
  return (
    <form
      className={classes.quick}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() && !action.isPending) action.mutate(undefined)
      }}
    >
      <TextInput
        size="xs"
        autoFocus
        aria-label={`New ${what}`}
        placeholder="Title, then Enter"
        value={text}
        onChange={(event) => {
          solve(field)
          setText(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setText('')
          onClose()
        }}
        onBlur={() => !text && !action.isPending && onClose()}
        error={problemOf(left, field)}
      />
      {left && !isPlaced(left, [field]) && <ErrorMessage error={left} />}
    </form>
  )
}
