import { Button, Drawer, Group, Popover, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { queryString } from '../api/client'
import type { Field } from '../fields/spec'
import { CopyRequest } from '../shell/Copy'
import { useIsPhone } from '../shell/Page'
import { FilterLine } from './FilterLine'
import classes from './filters.module.css'
import type { Asked, Condition } from './grammar'
import { SortSelect } from './SortBy'
import type { TableState } from './state'
import { useFilters } from './useFilters'

type Props = { state: TableState; fields: Field[]; path: string; archives?: boolean }

const NEW: Condition = { field: '', op: '', values: [] }

/** The button that opens the editor of conditions. On a phone it is a sheet at the bottom, together with the sort. */
export function Filters(props: Props) {
  const [opened, { close, toggle }] = useDisclosure(false)
  const isPhone = useIsPhone()
  const button = (
    <Button variant="default" leftSection={<IconFilter size={14} />} onClick={toggle}>
      {isPhone ? 'Filter and sort' : 'Filter'}
    </Button>
  )
  if (isPhone)
    return (
      <>
        {button}
        <Drawer
          opened={opened}
          onClose={close}
          position="bottom"
          size="auto"
          className={classes.sheet}
          title="Filter and sort"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          {opened && (
            <Panel {...props} onDone={close}>
              <SortSelect state={props.state} fields={props.fields} />
            </Panel>
          )}
        </Drawer>
      </>
    )
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      position="bottom-start"
      width="min(640px, 96vw)"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Filters">{opened && <Panel {...props} />}</Popover.Dropdown>
    </Popover>
  )
}

type PanelProps = Props & {
  /** Closes the panel. On a phone a button does, within reach of the thumb. */
  onDone?: () => void
  children?: ReactNode
}

/** An editor of all conditions. */
function Panel({ state, fields: all, path, archives, onDone, children }: PanelProps) {
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
