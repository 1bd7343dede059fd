import { Autocomplete, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useList } from '../api/query'
import { CompanyPicker } from '../fields/Pickers'
import { type Field, isCompanyName } from '../fields/spec'
import { useChoices } from './choices'
import { type Operator, written } from './grammar'

type Props = { field: Field; operator: Operator; values: string[]; onChange: (values: string[]) => void }

/** Lists open inside the panel, so that a click in them does not close it. */
const INSIDE = { withinPortal: false }

/** The input for the values of a condition. It suggests tags, people, companies and choices while the user types. */
export function FilterValue(props: Props) {
  const { field, operator, values, onChange } = props
  const choices = useChoices(field)
  if (operator.value === 'none') return null
  const common = { size: 'xs' as const, 'aria-label': 'Value', comboboxProps: INSIDE }
  if (field.type === 'company')
    return <CompanyPicker {...common} value={values[0] ?? null} onPick={(id) => onChange(id ? [id] : [])} />
  if (choices && operator.value === 'one')
    return (
      <Select
        {...common}
        searchable
        data={choices}
        value={values[0] ?? null}
        onChange={(value) => onChange(value === null ? [] : [value])}
      />
    )
  if (choices) return <MultiSelect {...common} searchable data={choices} value={values} onChange={onChange} />
  return operator.value === 'many' ? <ManyValues {...props} /> : <OneValue {...props} />
}

/** ManyValues values; Enter adds one, and the text that was typed without it counts, too. */
function ManyValues({ field, values, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed, 150)
  const name = asked ? { name: written({ field: 'name', op: 'contains', values: [asked] }) } : {}
  const tags = useList(field.type === 'tags' ? '/tags' : null, { limit: '50', sort: 'name', ...name }).data?.data
  const known = tags?.filter((one) => !values.includes(one.name)).map((one) => one.name)
  return (
    <TagsInput
      size="xs"
      aria-label="Value"
      comboboxProps={INSIDE}
      placeholder="Type and press Enter"
      data={known ?? []}
      searchValue={typed}
      onSearchChange={setTyped}
      value={values}
      onChange={onChange}
    />
  )
}

/** One text, number or day, which is applied by Enter and when the user leaves the input. */
function OneValue({ field, values, onChange }: Props) {
  const isDay = field.type === 'date' || field.type === 'time'
  const isNumber = ['number', 'rating', 'money'].includes(field.type)
  const value = isDay ? (values[0] ?? '').slice(0, 10) : (values[0] ?? '')
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const save = (next: string) => next !== value && onChange(next ? [next] : [])
  const common = {
    size: 'xs' as const,
    'aria-label': 'Value',
    value: text,
    onBlur: () => save(text),
    onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && save(text),
  }
  if (isCompanyName(field)) return <CompanyText {...common} onType={setText} onPick={save} />
  return (
    <TextInput
      {...common}
      type={isDay ? 'date' : 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      onChange={(event) => {
        const { value: typed } = event.currentTarget
        setText(isNumber ? typed.replace(/[^\d.-]/g, '') : typed)
      }}
    />
  )
}

type TextProps = {
  value: string
  onType: (text: string) => void
  onPick: (text: string) => void
  onBlur: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The name of a company, with the companies of the workspace as suggestions. */
function CompanyText({ value, onType, onPick, ...rest }: TextProps) {
  const [asked] = useDebouncedValue(value, 150)
  const search = asked ? { search: asked } : {}
  const found =
    useList('/companies', { limit: '10', count: 'none', archived_at: 'is.null', ...search }).data?.data ?? []
  return (
    <Autocomplete
      {...rest}
      size="xs"
      comboboxProps={INSIDE}
      data={[...new Set(found.map((one) => one.name))]}
      filter={({ options }) => options}
      value={value}
      onChange={onType}
      onOptionSubmit={onPick}
    />
  )
}
