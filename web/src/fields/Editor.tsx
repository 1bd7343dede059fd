import { Button, MultiSelect, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useList } from '../api/query'
import { personName, useMembers } from '../session'
import { CompanyPicker } from './Pickers'
import type { Field } from './spec'

type Props = {
  field: Field
  value: unknown
  onDone: (value: unknown) => void
  onCancel: () => void
  error?: string
}

const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

/** Edits one value: Enter and leaving the field save it, Escape reverts it. */
export function Editor({ field, value, onDone, onCancel, error }: Props) {
  const { members } = useMembers()
  const scope = field.type === 'tags'
  const tags = useList(scope ? '/tags' : null, { limit: '100', sort: 'name' }).data?.data ?? []
  const [draft, setDraft] = useState<unknown>(() => initial(field, value))
  const finish = (final: unknown = draft) => onDone(parsed(field, final))
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') onCancel()
    if (event.key === 'Enter' && !(field.type === 'long_text' && !(event.ctrlKey || event.metaKey))) {
      if (['tags', 'list', 'choices'].includes(field.type)) return
      event.preventDefault()
      finish()
    }
  }
  const common = { 'aria-label': field.label, autoFocus: true, size: 'xs' as const, onKeyDown: keys, error }
  switch (field.type) {
    case 'boolean':
    case 'choice':
    case 'member': {
      const data =
        field.type === 'boolean'
          ? [
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ]
          : field.type === 'member'
            ? members.map((one) => ({ value: one.user_id, label: personName(one) }))
            : (field.options ?? []).map(({ value: v, label }) => ({ value: v, label }))
      return (
        <Select
          {...common}
          data={data}
          value={draft as string | null}
          searchable={data.length > 7}
          defaultDropdownOpened
          clearable={!field.required}
          onChange={(next) => finish(next)}
          onBlur={onCancel}
          comboboxProps={{ width: 200, position: 'bottom-start' }}
        />
      )
    }
    case 'company':
      return <CompanyPicker value={draft as string | null} onPick={(id) => finish(id)} onBlur={onCancel} autoFocus />
    case 'choices':
      return (
        <MultiSelect
          {...common}
          data={(field.options ?? []).map(({ value: v, label }) => ({ value: v, label }))}
          value={draft as string[]}
          onChange={setDraft}
          onBlur={() => finish()}
        />
      )
    case 'tags':
    case 'list':
      return (
        <TagsInput
          {...common}
          data={tags.map((tag) => tag.name)}
          value={draft as string[]}
          onChange={setDraft}
          onBlur={() => finish()}
          placeholder="Type and press Enter"
        />
      )
    case 'number':
    case 'rating':
    case 'money':
      return (
        <NumberInput
          {...common}
          value={draft as number | string}
          onChange={setDraft}
          onBlur={() => finish()}
          hideControls
        />
      )
    case 'long_text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={16}
          value={draft as string}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => finish()}
        />
      )
    case 'emails':
    case 'phones':
      return (
        <TextInput
          {...common}
          value={draft as string}
          placeholder="Several with commas between them"
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => finish()}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          type={field.type === 'date' || field.type === 'time' ? 'date' : 'text'}
          value={draft as string}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => finish()}
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

function initial(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'boolean':
      return value === null || value === undefined ? null : String(value)
    case 'choices':
    case 'tags':
    case 'list':
      return value ?? []
    case 'emails':
      return ((value as { email: string }[]) ?? []).map((one) => one.email).join(', ')
    case 'phones':
      return ((value as { phone: string }[]) ?? []).map((one) => one.phone).join(', ')
    case 'date':
    case 'time':
      return asText(value).slice(0, 10)
    case 'choice':
    case 'member':
    case 'company':
      return value ?? null
    case 'number':
    case 'rating':
    case 'money':
      return value ?? ''
    default:
      return asText(value)
  }
}

/** The editor's value as the API expects it. */
function parsed(field: Field, draft: unknown): unknown {
  switch (field.type) {
    case 'boolean':
      return draft === null ? null : draft === 'true'
    case 'number':
    case 'rating':
    case 'money':
      return draft === '' || draft === null ? null : Number(draft)
    case 'emails':
      return items(draft).map((email) => ({ email }))
    case 'phones':
      return items(draft).map((phone) => ({ phone }))
    case 'choices':
    case 'tags':
    case 'list':
    case 'choice':
    case 'member':
    case 'company':
      return draft
    default:
      return asText(draft).trim() === '' && !field.required ? null : asText(draft)
  }
}

const items = (draft: unknown) =>
  asText(draft)
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean)

/** Unchanged addresses keep their types. */
export function keepTypes(before: unknown, after: unknown, member: 'email' | 'phone'): unknown {
  const known = (before ?? []) as Record<string, string>[]
  return (after as Record<string, string>[]).map((one) => known.find((old) => old[member] === one[member]) ?? one)
}
