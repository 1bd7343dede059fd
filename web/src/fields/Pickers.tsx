import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { Params } from '../api/client'
import { type List, listOf } from '../api/lists'
import { useListOf, useOneOf } from '../api/query'
import { personName } from '../session'

type Props = {
  value?: string | null
  onPick: (id: string | null) => void
} & Omit<SelectProps, 'value' | 'onChange' | 'data'>

type Source<T> = { path: List<T>; params: Params; search: boolean; label: (record: T) => string; name: string }

/** A select over a collection that is searched on the server. */
function usePicker<T extends { id: string }>({ value, onPick, ...rest }: Props, source: Source<T>) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed, 150)
  const chosen = useOneOf(source.path, value).data?.data
  const shown = chosen ? source.label(chosen) : ''
  const params: Params = { ...source.params, limit: '20', count: 'none' }
  if (words && words !== shown && source.search) params.search = words
  const found = useListOf(source.path, params).data?.data ?? []
  const all = chosen && !found.some((one) => one.id === chosen.id) ? [chosen, ...found] : found
  return (
    <Select
      size="xs"
      searchable
      clearable
      aria-label={rest.label ? undefined : source.name}
      placeholder={source.name}
      nothingFoundMessage="Nothing found"
      filter={source.search ? ({ options }) => options : undefined}
      data={all.map((one) => ({ value: one.id, label: source.label(one) }))}
      value={value ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onPick}
      {...rest}
    />
  )
}

export const CompanyPicker = (props: Props) =>
  usePicker(props, {
    path: listOf('/companies'),
    params: { archived_at: 'is.null' },
    search: true,
    label: (one) => one.name,
    name: 'Company',
  })

export const ContactPicker = (props: Props) =>
  usePicker(props, {
    path: listOf('/contacts'),
    params: { archived_at: 'is.null' },
    search: true,
    label: (one) => [personName(one), one.current_company].filter(Boolean).join(' · '),
    name: 'Contact',
  })

export const ProjectPicker = (props: Props) =>
  usePicker(props, {
    path: listOf('/projects'),
    params: { status: 'active' },
    search: true,
    label: (one) => one.name,
    name: 'Project',
  })

export const SequencePicker = (props: Props) =>
  usePicker(props, {
    path: listOf('/sequences'),
    params: { status: 'in.(active,paused)' },
    search: false,
    label: (one) => one.name,
    name: 'Sequence',
  })
