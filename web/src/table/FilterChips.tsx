import { Button, Popover, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Field } from '../fields/spec'
import { useWords } from './choices'
import { FilterLine } from './FilterLine'
import classes from './filters.module.css'
import { type Condition, isWhole } from './grammar'
import type { TableState } from './state'
import { useFilters } from './useFilters'

/** Every active filter in words. A click opens it for editing, the cross removes it. */
export function FilterChips({ state, fields: all }: { state: TableState; fields: Field[] }) {
  const { fields, asked, apply, replace, clear, active } = useFilters(state, all)
  const isArchive = state.all.archived === 'all'
  if (active === 0 && !isArchive) return null
  const { rest } = asked
  const drop = (name: string, text: string) => {
    const { [name]: found, ...others } = rest
    const left = [found].flat().filter((one) => one !== text)
    apply({ ...asked, rest: left.length > 0 ? { ...others, [name]: left } : others })
  }
  return (
    <div className={classes.chips} role="group" aria-label="Active filters">
      {asked.conditions.map((condition, index) => (
        <Chip
          // A chip stays the same one while its condition is changed.
          key={index}
          condition={condition}
          fields={fields}
          joint={index > 0 && asked.any ? 'or' : undefined}
          onChange={(next) => replace(index, next)}
          onRemove={() => replace(index)}
        />
      ))}
      {Object.entries(rest).flatMap(([name, value]) =>
        [value]
          .flat()
          .map((text) => <Plain key={`${name}=${text}`} text={`${name} ${text}`} onRemove={() => drop(name, text)} />),
      )}
      {isArchive && <Plain text="With archived" onRemove={() => state.set({ archived: undefined })} />}
      {active > 0 && (
        <Button variant="default" onClick={clear}>
          Clear all
        </Button>
      )}
    </div>
  )
}

type ChipProps = {
  condition: Condition
  fields: Field[]
  joint?: string
  onChange: (condition: Condition) => void
  onRemove: () => void
}

function Chip({ condition, fields, joint, onChange, onRemove }: ChipProps) {
  const { label, operator, value } = useWords(condition, fields)
  const [draft, setDraft] = useState<Condition>()
  const text = [label, operator, value].filter(Boolean).join(' ')
  const change = (next: Condition) => {
    setDraft(next)
    // The filter stays as it was until the new condition is complete.
    if (isWhole(next)) onChange(next)
  }
  return (
    <>
      {joint && <span className="dim">{joint}</span>}
      <span className={classes.chip}>
        <Popover
          opened={draft !== undefined}
          onChange={(opened) => setDraft(opened ? condition : undefined)}
          position="bottom-start"
          width="min(560px, 94vw)"
          trapFocus
          returnFocus
          withinPortal
        >
          <Popover.Target>
            <UnstyledButton
              className={classes.words}
              aria-label={`Edit filter: ${text}`}
              onClick={() => setDraft(draft ? undefined : condition)}
            >
              <span className="cut">{label}</span>
              <span className="dim">{operator}</span>
              {value && <b className="cut">{value}</b>}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={`Filter ${label}`}>
            {draft && <FilterLine condition={draft} fields={fields} onChange={change} />}
          </Popover.Dropdown>
        </Popover>
        <RemoveButton text={text} onRemove={onRemove} />
      </span>
    </>
  )
}

/** A filter that the editor can't show; it can only be removed. */
function Plain({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <span className={classes.chip}>
      <span className={classes.words}>
        <span className="cut">{text}</span>
      </span>
      <RemoveButton text={text} onRemove={onRemove} />
    </span>
  )
}

function RemoveButton({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <UnstyledButton className={classes.cross} aria-label={`Remove filter: ${text}`} onClick={onRemove}>
      <IconX size={14} />
    </UnstyledButton>
  )
}
