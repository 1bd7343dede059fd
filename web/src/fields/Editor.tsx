import { Button, MultiSelect, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useList } from '../api/query'
import { personName, useMembers } from '../session'
import { numberOf, recordsOf, textOf, textsOf } from '../values'
import { CompanyPicker } from './Pickers'
import type { Field, FieldType } from './spec'

type Props = {
  field: Field
  value: unknown
  /** Gets the value as the API expects it. */
  onDone: (value: unknown) => void
  onCancel: () => void
  error?: string
}

const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

/**
 * Edits one value: Enter and leaving the field save it, Escape reverts it. The keys do not reach the table around it. They
 * are stopped outside of the input, since Mantine's inputs ignore keys that were stopped.
 */
export function Editor(props: Props): ReactNode {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nobody interacts with it, it only holds back keys
    <div role="presentation" style={{ display: 'contents' }} onKeyDown={(event) => event.stopPropagation()}>
      <Control {...props} />
    </div>
  )
}

function Control(props: Props): ReactNode {
  const { field, value, onDone, onCancel } = props
  switch (field.type) {
    case 'boolean':
    case 'choice':
    case 'member':
      return <ChoiceEditor {...props} />
    case 'company':
      return <CompanyPicker value={textOf(value)} onPick={onDone} onBlur={onCancel} autoFocus />
    case 'choices':
    case 'tags':
    case 'list':
      return <ListEditor {...props} />
    case 'number':
    case 'rating':
    case 'money':
      return <NumberEditor {...props} />
    default:
      return <TextEditor {...props} />
  }
}

/** The properties that all inputs share. Enter calls `onEnter` unless the input needs the key. */
function inputProps({ field, onCancel, error }: Props, onEnter: (event: KeyboardEvent) => void) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    if (event.key === 'Enter') onEnter(event)
  }
  return { 'aria-label': field.label, autoFocus: true, size: 'xs' as const, onKeyDown, error }
}

const BOOLEANS = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const choicesOf = (field: Field) => (field.options ?? []).map(({ value, label }) => ({ value, label }))

function ChoiceEditor(props: Props) {
  const { field, value, onDone, onCancel } = props
  const { members } = useMembers()
  const isBoolean = field.type === 'boolean'
  const chosen = isBoolean ? asText(value) || null : textOf(value)
  const data = isBoolean
    ? BOOLEANS
    : field.type === 'member'
      ? members.map((one) => ({ value: one.user_id, label: personName(one) }))
      : choicesOf(field)
  const finish = (next: string | null) => onDone(isBoolean && next !== null ? next === 'true' : next)
  const common = inputProps(props, (event) => {
    event.preventDefault()
    finish(chosen)
  })
  return (
    <Select
      {...common}
      data={data}
      value={chosen}
      searchable={data.length > 7}
      defaultDropdownOpened
      clearable={!field.required}
      onChange={(next) => finish(next)}
      onBlur={onCancel}
      comboboxProps={{ width: 200, position: 'bottom-start' }}
    />
  )
}

/** Enter adds an item; leaving the field saves the list. */
function ListEditor(props: Props) {
  const { field, value, onDone } = props
  const [draft, setDraft] = useState(() => textsOf(value))
  // Text that was typed without Enter is an item, too.
  const finish = (typed: string) => {
    const isNew = typed !== '' && !draft.some((one) => one.toLowerCase() === typed.toLowerCase())
    onDone(isNew ? [...draft, typed] : draft)
  }
  const tags = useList(field.type === 'tags' ? '/tags' : null, { limit: '100', sort: 'name' }).data?.data ?? []
  const common = { ...inputProps(props, () => {}), value: draft, onChange: setDraft }
  if (field.type === 'choices') {
    return <MultiSelect {...common} data={choicesOf(field)} onBlur={() => onDone(draft)} />
  }
  return (
    <TagsInput
      {...common}
      data={tags.map((tag) => tag.name)}
      placeholder="Type and press Enter"
      acceptValueOnBlur={false}
      onBlur={(event) => finish(event.currentTarget.value.trim())}
    />
  )
}

function NumberEditor(props: Props) {
  const [draft, setDraft] = useState(() => asText(numberOf(props.value)))
  const finish = () => {
    const number = Number(draft)
    if (Number.isNaN(number)) props.onCancel()
    else props.onDone(draft.trim() === '' ? null : number)
  }
  const common = inputProps(props, (event) => {
    event.preventDefault()
    finish()
  })
  return (
    <TextInput
      {...common}
      inputMode="decimal"
      value={draft}
      // Other characters are not taken, like in the library’s input for numbers, which is larger than this whole editor.
      onChange={(event) => setDraft(event.currentTarget.value.replace(/[^\d.-]/g, ''))}
      onBlur={finish}
    />
  )
}

function TextEditor(props: Props) {
  const { field, value, onDone } = props
  const [draft, setDraft] = useState(() => writtenAs(field.type, value))
  const finish = () => onDone(readAs(field, draft, value))
  const common = {
    ...inputProps(props, (event) => {
      if (field.type === 'long_text' && !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      finish()
    }),
    value: draft,
    onBlur: finish,
  }
  switch (field.type) {
    case 'long_text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={16}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
      )
    case 'emails':
    case 'phones':
      return (
        <TextInput
          {...common}
          placeholder="Comma-separated"
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          type={field.type === 'date' || field.type === 'time' ? 'date' : 'text'}
          onChange={(event) => setDraft(event.currentTarget.value)}
          rightSection={
            field.type === 'date' && draft ? (
              <Button
                size="compact-xs"
                variant="subtle"
                tabIndex={-1}
                onMouseDown={() => setDraft('')}
                aria-label="Clear"
              >
                ×
              </Button>
            ) : null
          }
        />
      )
  }
}

/** A value as text for its input. */
function writtenAs(type: FieldType, value: unknown): string {
  switch (type) {
    case 'emails':
      return recordsOf(value)
        .map((one) => one.email)
        .join(', ')
    case 'phones':
      return recordsOf(value)
        .map((one) => one.phone)
        .join(', ')
    case 'date':
    case 'time':
      return asText(value).slice(0, 10)
    default:
      return asText(value)
  }
}

/** The text of an input as the API expects it. Unchanged addresses keep their types. */
function readAs(field: Field, text: string, before: unknown): unknown {
  switch (field.type) {
    case 'emails':
      return items(text).map((email) => recordsOf(before).find((one) => one.email === email) ?? { email })
    case 'phones':
      return items(text).map((phone) => recordsOf(before).find((one) => one.phone === phone) ?? { phone })
    default:
      return text.trim() === '' && !field.required ? null : text
  }
}

const items = (text: string) =>
  text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean)
