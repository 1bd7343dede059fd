import { ActionIcon, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Field } from '../fields/spec'
import { useIsPhone } from '../shell/Page'
import { FilterValue } from './FilterValue'
import classes from './filters.module.css'
import { type Condition, filterOf, operatorsOf } from './grammar'

type Props = {
  condition: Condition
  fields: Field[]
  onChange: (condition: Condition) => void
  onRemove?: () => void
}

const INSIDE = { withinPortal: false }

/** One condition: field, operator and value. Once the field is chosen, the value has the focus. */
export function FilterLine({ condition, fields, onChange, onRemove }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const field = fields.find((one) => filterOf(one) === condition.field)
  const operators = field ? operatorsOf(field.type) : []
  const operator = operators.find((one) => one.op === condition.op) ?? operators[0]
  const [picked, setPicked] = useState(false)
  const isPhone = useIsPhone()
  useEffect(() => {
    if (!picked) return
    setPicked(false)
    box.current?.querySelector('input')?.focus()
  }, [picked])
  return (
    <div className={classes.line}>
      <Select
        comboboxProps={INSIDE}
        className={classes.field}
        size="xs"
        aria-label="Field"
        placeholder="Choose a field"
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        // Typing replaces the chosen field.
        onFocus={(event) => event.currentTarget.select()}
        // On a phone the keyboard and the list would cover the sheet.
        autoFocus={!field && !isPhone}
        data={fields.map((one) => ({ value: filterOf(one), label: one.label }))}
        value={condition.field || null}
        onChange={(name) => {
          const next = fields.find((one) => filterOf(one) === name)
          if (!next) return
          onChange({ field: filterOf(next), op: operatorsOf(next.type)[0].op, values: [] })
          setPicked(true)
        }}
      />
      <Select
        comboboxProps={INSIDE}
        className={classes.operator}
        size="xs"
        aria-label="Operator"
        allowDeselect={false}
        disabled={!field}
        data={operators.map(({ op, label }) => ({ value: op, label }))}
        value={operator?.op ?? null}
        onChange={(op) => op && onChange({ ...condition, op })}
      />
      <div className={classes.value} ref={box}>
        {field && operator && (
          <FilterValue
            key={condition.field}
            field={field}
            operator={operator}
            values={condition.values}
            onChange={(values) => onChange({ ...condition, values })}
          />
        )}
      </div>
      {onRemove && (
        <ActionIcon onClick={onRemove} aria-label="Remove condition">
          <IconX size={14} />
        </ActionIcon>
      )}
    </div>
  )
}
