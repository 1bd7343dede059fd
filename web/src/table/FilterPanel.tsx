import { Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { queryString } from '../api/client'
import type { Field } from '../fields/spec'
import { CopyRequest } from '../shell/Copy'
import { FilterLine } from './FilterLine'
import classes from './filters.module.css'
import type { Asked, Condition } from './grammar'
import type { TableState } from './state'
import { useFilters } from './useFilters'

const NEW: Condition = { field: '', op: '', values: [] }

export type FilterProps = { state: TableState; fields: Field[]; path: string; archives?: boolean }

type Props = FilterProps & {
  /** Closes the panel. On a phone a button does, within reach of the thumb. */
  onDone?: () => void
  children?: ReactNode
}

/** An editor of all conditions. */
export function FilterPanel({ state, fields: all, path, archives, onDone, children }: Props) {
  const { fields, asked, apply, clear, active } = useFilters(state, all)
  // Incomplete conditions are only here; the address has the others.
  const [draft, setDraft] = useState<Asked>(() =>
    asked.conditions.length > 0 ? asked : { ...asked, conditions: [NEW] },
  )
  const change = (next: Asked) => {
    setDraft(next)
    apply(next)
  }
  const rest = queryString(draft.rest)
  const clearAll = active > 0 && (
    <Button
      variant={onDone ? 'default' : 'subtle'}
      color="gray"
      onClick={() => {
        clear()
        setDraft({ any: false, conditions: [NEW], rest: {} })
      }}
    >
      Clear all
    </Button>
  )
  return (
    <Stack gap="xs">
      {draft.conditions.length > 1 && (
        <SegmentedControl
          size="xs"
          w={200}
          aria-label="Match"
          value={draft.any ? 'any' : 'all'}
          onChange={(mode) => change({ ...draft, any: mode === 'any' })}
          data={[
            { value: 'all', label: 'Match all' },
            { value: 'any', label: 'Match any' },
          ]}
        />
      )}
      {draft.conditions.map((condition, index) => (
        <FilterLine
          key={index}
          condition={condition}
          fields={fields}
          onChange={(next) =>
            change({ ...draft, conditions: draft.conditions.map((one, at) => (at === index ? next : one)) })
          }
          onRemove={() => change({ ...draft, conditions: draft.conditions.filter((_, at) => at !== index) })}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          onClick={() => setDraft({ ...draft, conditions: [...draft.conditions, NEW] })}
          disabled={draft.conditions.some((one) => one.field === '')}
        >
          Add condition
        </Button>
        {!onDone && clearAll}
        {archives && (
          <Switch
            size="xs"
            label="Show archived"
            checked={state.all.archived === 'all'}
            onChange={(event) => state.set({ archived: event.currentTarget.checked ? 'all' : undefined })}
          />
        )}
        <span className="grow" />
        {!onDone && <CopyRequest path={path} params={state.params} inside />}
      </Group>
      {rest && (
        <Text size="xs" c="dimmed">
          Also filtered, written by hand: <code>{decodeURIComponent(rest)}</code>
        </Text>
      )}
      {children}
      {onDone && (
        <div className={classes.foot}>
          {clearAll}
          <Button onClick={onDone}>Show results</Button>
        </div>
      )}
    </Stack>
  )
}
