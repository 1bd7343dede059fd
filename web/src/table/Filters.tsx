import {
  ActionIcon,
  Badge,
  Button,
  CopyButton,
  Group,
  MultiSelect,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { asCurl, queryString } from '../api/client'
import { CompanyPicker } from '../fields/Pickers'
import type { Field } from '../fields/spec'
import { personName, useMembers } from '../session'
import { type Asked, type Condition, conditionsOf, filtersOf, operatorsOf } from './grammar'
import type { TableState } from './state'

const nameOf = (field: Field) => field.filter || field.key

/** An editor of conditions, and beside it the query that the API gets. */
export function Filters({
  state,
  fields,
  path,
  archives,
}: {
  state: TableState
  fields: Field[]
  path: string
  archives?: boolean
}) {
  const usable = fields.filter((field) => field.filter !== false && field.type !== 'name')
  const { search, ...plain } = state.filters
  const [opened, setOpened] = useState(false)
  const [draft, setDraft] = useState<Asked>(() => conditionsOf(plain, usable))
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken over when the panel opens, not while it is being changed
  useEffect(() => {
    if (opened) setDraft(conditionsOf(plain, usable))
  }, [opened])
  const active = Object.values(plain).flat().length
  const apply = (next: Asked) => {
    setDraft(next)
    const ours: Record<string, string | string[] | undefined> = {}
    for (const name of Object.keys(plain)) ours[name] = undefined
    state.set({ ...ours, ...filtersOf(next) })
  }
  const change = (index: number, changes: Partial<Condition>) =>
    apply({ ...draft, conditions: draft.conditions.map((one, at) => (at === index ? { ...one, ...changes } : one)) })
  const rest = queryString(draft.rest)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width="min(640px, 96vw)"
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant={active ? 'light' : 'default'}
          leftSection={<IconFilter size={14} />}
          onClick={() => setOpened(!opened)}
          rightSection={
            active ? (
              <Badge size="xs" circle color="petrol">
                {active}
              </Badge>
            ) : null
          }
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {draft.conditions.length > 1 && (
            <SegmentedControl
              size="xs"
              w={200}
              value={draft.any ? 'any' : 'all'}
              onChange={(mode) => apply({ ...draft, any: mode === 'any' })}
              data={[
                { value: 'all', label: 'Match all' },
                { value: 'any', label: 'Match any' },
              ]}
            />
          )}
          {draft.conditions.map((condition, index) => (
            <Line
              key={index}
              condition={condition}
              fields={usable}
              onChange={(changes) => change(index, changes)}
              onRemove={() => apply({ ...draft, conditions: draft.conditions.filter((_, at) => at !== index) })}
            />
          ))}
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => {
                const first = usable[0]
                const added = { field: nameOf(first), op: operatorsOf(first.type)[0].op, value: '' }
                setDraft({ ...draft, conditions: [...draft.conditions, added] })
              }}
            >
              Add condition
            </Button>
            {active > 0 && (
              <Button variant="subtle" color="gray" onClick={() => apply({ any: false, conditions: [], rest: {} })}>
                Clear all
              </Button>
            )}
            {archives && (
              <Switch
                size="xs"
                label="Show archived"
                checked={state.all.archived === 'all'}
                onChange={(event) => state.set({ archived: event.currentTarget.checked ? 'all' : undefined })}
              />
            )}
          </Group>
          {rest && (
            <Text size="xs" c="dimmed">
              Also asked, written by hand: <code>{decodeURIComponent(rest)}</code>
            </Text>
          )}
          <Text size="xs" c="dimmed">
            API query
          </Text>
          <div className="grammar" data-testid="grammar">
            {decodeURIComponent(queryString(state.params).replaceAll('+', ' '))}
          </div>
          <Group gap="xs">
            <CopyButton value={queryString(state.params)}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy filter'}
                </Button>
              )}
            </CopyButton>
            <CopyButton value={asCurl(path, state.params)}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy as curl'}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

type LineProps = {
  condition: Condition
  fields: Field[]
  onChange: (changes: Partial<Condition>) => void
  onRemove: () => void
}

function Line({ condition, fields, onChange, onRemove }: LineProps) {
  const { members } = useMembers()
  const field = fields.find((one) => nameOf(one) === condition.field) ?? fields[0]
  const operators = operatorsOf(field.type)
  const operator = operators.find((one) => one.op === condition.op) ?? operators[0]
  const [text, setText] = useState(condition.value)
  useEffect(() => setText(condition.value), [condition.value])
  const choices =
    field.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.type === 'member'
        ? members.map((one) => ({ value: one.user_id, label: personName(one) }))
        : field.options?.map(({ value, label }) => ({ value, label }))
  const keep = () => text !== condition.value && onChange({ value: text })
  return (
    <Group gap={6} wrap="nowrap">
      <Select
        comboboxProps={{ withinPortal: false }}
        size="xs"
        aria-label="Field"
        w={160}
        searchable
        allowDeselect={false}
        data={fields.map((one) => ({ value: nameOf(one), label: one.label }))}
        value={condition.field}
        onChange={(name) => {
          const next = fields.find((one) => nameOf(one) === name)
          if (next && name) onChange({ field: name, op: operatorsOf(next.type)[0].op, value: '' })
        }}
      />
      <Select
        comboboxProps={{ withinPortal: false }}
        size="xs"
        aria-label="Operator"
        w={130}
        allowDeselect={false}
        data={operators.map(({ op, label }) => ({ value: op, label }))}
        value={operator.op}
        onChange={(op) => op && onChange({ op })}
      />
      <div className="grow">
        {operator.value === 'none' ? null : field.type === 'company' ? (
          <CompanyPicker
            value={condition.value || null}
            onPick={(id) => onChange({ value: id ?? '' })}
            comboboxProps={{ withinPortal: false }}
          />
        ) : choices && operator.value === 'one' ? (
          <Select
            comboboxProps={{ withinPortal: false }}
            size="xs"
            aria-label="Value"
            data={choices}
            value={condition.value || null}
            onChange={(value) => onChange({ value: value ?? '' })}
          />
        ) : choices && operator.value === 'many' ? (
          <MultiSelect
            comboboxProps={{ withinPortal: false }}
            size="xs"
            aria-label="Value"
            data={choices}
            value={condition.value ? condition.value.split(/, ?/) : []}
            onChange={(values) => onChange({ value: values.join(', ') })}
          />
        ) : (
          <TextInput
            size="xs"
            aria-label="Value"
            type={field.type === 'date' || field.type === 'time' ? 'date' : 'text'}
            placeholder={operator.value === 'many' ? 'Comma-separated' : undefined}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onBlur={keep}
            onKeyDown={(event) => event.key === 'Enter' && keep()}
          />
        )}
      </div>
      <ActionIcon onClick={onRemove} aria-label="Remove condition">
        <IconX size={14} />
      </ActionIcon>
    </Group>
  )
}
