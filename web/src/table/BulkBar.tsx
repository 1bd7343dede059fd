import { Anchor, Button, Group, Progress, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { List } from '../api/lists'
import { refresh } from '../api/query'
import { count } from '../fields/format'
import type { Row } from '../fields/spec'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import type { Chosen, Outcome } from './bulk'
import classes from './bulk.module.css'
import type { TableState } from './state'
import type { Selection } from './useSelection'

type Work<T extends Row> = (chosen: Chosen<T>, onProgress: (done: number) => void) => Promise<Outcome>

export type Run<T extends Row> = (
  label: string,
  work: Work<T>,
  undo?: (outcome: Outcome) => Promise<unknown>,
) => Promise<void>

type Props<T extends Row> = {
  /** The collections that the actions change. */
  touches: string[]
  list: List<T>
  state: TableState
  selection: Selection<T>
  total: number
  children: (run: Run<T>, number: number) => ReactNode
}

/** Actions on the selected rows, or on all rows that match the filters. */
export function BulkBar<T extends Row>(props: Props<T>) {
  const [all, setAll] = useState(false)
  const [progress, setProgress] = useState<number>()
  const { selection } = props
  const number = all ? props.total : selection.rows.size
  const run: Run<T> = async (label, work, undo) => {
    const chosen: Chosen<T> = all
      ? { list: props.list, params: props.state.params, total: props.total }
      : { rows: [...selection.rows.values()] }
    setProgress(0)
    try {
      const outcome = await work(chosen, setProgress)
      const said = `${label}: ${count(outcome.done)}${outcome.failed ? `, ${count(outcome.failed)} refused (${outcome.reasons.join('; ')})` : ''}`
      if (undo && outcome.done > 0) notifyWithUndo(said, () => undo(outcome).then(() => refresh(...props.touches)))
      else notify(said)
      selection.keepRefused(outcome.refused)
      setAll(false)
    } catch (error) {
      notifyError(error)
    } finally {
      setProgress(undefined)
      refresh(...props.touches)
    }
  }
  // Closing or reloading the page would stop the work in the middle.
  useEffect(() => {
    if (progress === undefined) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [progress])
  const clear = () => {
    setAll(false)
    selection.clear()
  }
  if (selection.rows.size === 0) return null
  return (
    <section className={classes.bar} aria-label="Selection">
      <Group gap="xs">
        <Text fw={600} className="num">
          {count(number)} selected
        </Text>
        {!all && props.total > selection.rows.size && (
          <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
            Select all {count(props.total)}
          </Anchor>
        )}
        {progress === undefined ? (
          props.children(run, number)
        ) : (
          <Progress w={160} value={(100 * progress) / Math.max(number, 1)} aria-label="Progress" />
        )}
        {progress === undefined && (
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
    </section>
  )
}
