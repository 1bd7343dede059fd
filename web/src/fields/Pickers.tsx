import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, get, type Params } from '../api/client'
import { type List, listOf } from '../api/lists'
import { keyOf, useListOf } from '../api/query'
import { personName } from '../session'

type Props = {
  value?: string | null
  onPick: (id: string | null) => void
} & Omit<SelectProps, 'value' | 'onChange' | 'data'>

type Source<T> = {
  list: List<T>
  one: (id: string) => Promise<Answer<T>>
  params: Params
  search: boolean
  label: (record: T) => string
  name: string
}

/** A select over a collection that is searched on the server. */
function usePicker<T extends { id: string }>({ value, onPick, ...rest }: Props, source: Source<T>) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed, 150)
  const one = useQuery({
    queryKey: keyOf(value ? `${source.list.path}/${value}` : '/none'),
    queryFn: value ? () => source.one(value) : skipToken,
  })
  const chosen = one.data?.data
  const shown = chosen ? source.label(chosen) : ''
  const params: Params = { ...source.params, limit: '20', count: 'none' }
  if (words && words !== shown && source.search) params.search = words
  const found = useListOf(source.list, params).data?.data ?? []
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
    list: listOf('/companies'),
    one: (id) => get(`/companies/${id}`),
    params: { archived_at: 'is.null' },
    search: true,
    label: (one) => one.name,
    name: 'Company',
  })

export const ContactPicker = (props: Props) =>
  usePicker(props, {
    list: listOf('/contacts'),
    one: (id) => get(`/contacts/${id}`),
    params: { archived_at: 'is.null' },
    search: true,
    label: (one) => [personName(one), one.current_company].filter(Boolean).join(' · '),
    name: 'Contact',
  })

export const ProjectPicker = (props: Props) =>
  usePicker(props, {
    list: listOf('/projects'),
    one: (id) => get(`/projects/${id}`),
    params: { status: 'active' },
    search: true,
    label: (one) => one.name,
    name: 'Project',
  })

export const SequencePicker = (props: Props) =>
  usePicker(props, {
    list: listOf('/sequences'),
    one: (id) => get(`/sequences/${id}`),
    params: { status: 'in.(active,paused)' },
    search: false,
    label: (one) => one.name,
    name: 'Sequence',
  })
