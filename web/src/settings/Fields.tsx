import { Button, Checkbox, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconForms } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { CustomField } from '../api/types'
import { choiceOf, humanize } from '../fields/spec'
import { CUSTOM_FIELD_CHOICES } from '../generated/fields'
import { Card, Empty, Loaded } from '../shell/Page'
import { Delete, Dialog } from './parts'

/** Labels of types whose names would not be understood. */
const LABELS: Partial<Record<CustomField['type'], string>> = {
  boolean: 'Yes or no',
  select: 'Single select',
  multi_select: 'Multi-select',
  url: 'Link',
}

export function Fields() {
  const [object, setObject] = useState<'contacts' | 'companies'>('contacts')
  const fields = useList('/dashboard/custom-fields', { object })
  const [edited, setEdited] = useState<Partial<CustomField>>()
  return (
    <Stack gap="md">
      <SegmentedControl
        size="xs"
        w={240}
        aria-label="Fields of"
        data={[
          { value: 'contacts', label: 'Contacts' },
          { value: 'companies', label: 'Companies' },
        ]}
        value={object}
        onChange={setObject}
      />
      <Card
        title="Custom fields"
        flush
        actions={<Button onClick={() => setEdited({ type: 'text' })}>New field</Button>}
      >
        <Loaded of={fields}>
          {() =>
            fields.data?.data.length ? (
              fields.data.data.map((one) => (
                <div key={one.id} className="row-link">
                  <div className="grow">
                    <div style={{ fontWeight: 600 }}>{one.label}</div>
                    <div className="dim cut">
                      {one.key} · {LABELS[one.type] ?? humanize(one.type)}
                      {one.options.length ? `: ${one.options.map((option) => option.label).join(', ')}` : ''}
                      {one.is_required ? ' · required' : ''}
                    </div>
                  </div>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited(one)}>
                    Edit
                  </Button>
                  <Delete
                    label={`Delete ${one.label}`}
                    action="Delete field"
                    refreshes={['custom-fields', object]}
                    onDelete={() => remove(`/dashboard/custom-fields/${one.id}`)}
                  >
                    Its values are deleted from all {object}. They can’t be restored.
                  </Delete>
                </div>
              ))
            ) : (
              <Empty icon={IconForms} title={`No fields for ${object} yet`}>
                What you define here becomes a column, a filter and a member of custom_data in the API.
              </Empty>
            )
          }
        </Loaded>
      </Card>
      {edited && <Edit object={object} field={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

const keyOf = (label: string) =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')

type EditProps = { object: 'contacts' | 'companies'; field: Partial<CustomField>; onClose: () => void }

function Edit({ object, field, onClose }: EditProps) {
  const [label, setLabel] = useState(field.label ?? '')
  const [key, setKey] = useState(field.key ?? '')
  const [type, setType] = useState<CustomField['type']>(field.type ?? 'text')
  const [choices, setChoices] = useState(field.options?.map((one) => one.label) ?? [])
  const [required, setRequired] = useState(field.is_required ?? false)
  const listed = type === 'select' || type === 'multi_select'
  const [renamed, setRenamed] = useState<string | null>(null)
  const [name, setName] = useState('')
  const optionOf = (label: string) => ({ value: keyOf(label) || label, label })
  const options = choices.map((choice) => {
    const known = field.options?.find((one) => one.label === choice)
    if (known && choice === renamed && name.trim()) {
      return { ...optionOf(name.trim()), previous_value: known.value }
    }
    return known ?? optionOf(choice)
  })
  const save = () => {
    const body = { label, is_required: required, ...(listed ? { options } : {}) }
    const sent = field.id
      ? put(`/dashboard/custom-fields/${field.id}`, body)
      : post('/dashboard/custom-fields', { ...body, key: key || keyOf(label), type }, { object })
    return sent.then(() => refresh('custom-fields', object))
  }
  return (
    <Dialog title={field.id ? 'Change field' : 'New field'} action="Save" onClose={onClose} onSave={save}>
      <TextInput
        label="Label"
        required
        data-autofocus
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      {!field.id && (
        <>
          <TextInput
            label="Key in the API"
            placeholder={keyOf(label)}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Select
            label="Type"
            allowDeselect={false}
            data={CUSTOM_FIELD_CHOICES.type.map((value) => ({ value, label: LABELS[value] ?? humanize(value) }))}
            value={type}
            onChange={(next) => setType(choiceOf(CUSTOM_FIELD_CHOICES.type, next) ?? type)}
          />
        </>
      )}
      {listed && (
        <TagsInput size="sm" label="Options" placeholder="Type and press Enter" value={choices} onChange={setChoices} />
      )}
      {listed && field.id && (
        <Select
          label="Rename an option"
          description="Records that have it get the new name."
          clearable
          data={choices.filter((choice) => field.options?.some((one) => one.label === choice))}
          value={renamed}
          onChange={setRenamed}
        />
      )}
      {renamed && (
        <TextInput label="New name" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
      )}
      <Checkbox
        label="Required for new records"
        checked={required}
        onChange={(event) => setRequired(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
