import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, get, type Params } from '../api/client'
import { type List, listOf } from '../api/lists'
import { keyOf, useListOf } from '../api/query'
import type { Contact } from '../api/types'
import { personName } from '../session'
import { ranked } from './rank'

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
  /** The name by which records are ranked, if the label has more than it. */
  title?: (record: T) => string
  /** The filter for records whose names begin with what was typed: the search alone may have too many results. */
  begins?: (typed: string) => Params
  name: string
}

/** The records that fit what was typed, those with the closest names first. */
function useFound<T extends { id: string }>(source: Source<T>, typed: string) {
  const params: Params = { ...source.params, limit: '20', count: 'none' }
  if (typed && source.search) params.search = typed
  const all = useListOf(source.list, params)
  const closest = useListOf(source.list, typed ? { ...params, ...source.begins?.(typed) } : params)
  const records = [...(closest.data?.data ?? []), ...(all.data?.data ?? [])]
  const unique = [...new Map(records.map((one) => [one.id, one])).values()]
  return {
    found: ranked(unique, typed, source.title ?? source.label),
    isFetching: all.isFetching || closest.isFetching,
  }
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
  const { found } = useFound(source, words === shown ? '' : words)
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

const CONTACTS: Source<Contact> = {
  list: listOf('/contacts'),
  one: (id) => get(`/contacts/${id}`),
  params: { archived_at: 'is.null' },
  search: true,
  label: (one) => [personName(one), one.current_company].filter(Boolean).join(' · '),
  title: personName,
  begins: (typed): Params => {
    const [word] = /[\p{L}\p{M}\p{N}’'-]+/u.exec(typed) ?? []
    return word ? { or: `(first_name.ilike.${word}%,last_name.ilike.${word}%)` } : {}
  },
  name: 'Contact',
}

export const ContactPicker = (props: Props) => usePicker(props, CONTACTS)

/** The contacts that fit what was typed, those with the closest names first. */
export const useFoundContacts = (typed: string) => useFound(CONTACTS, typed)

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
