import type { Params } from '../api/client'
import { useList } from '../api/query'
import type { Tag } from '../api/types'
import type { Field } from '../fields/spec'
import { personName, useMembers } from '../session'
import { oneOf } from './grammar'
import type { TableState } from './state'

/** A section of a table: the rows that match a filter. */
export type Group = { value: string; label: string; color?: string; filter: string }

/** The grouping of a table: its field, the name of the filter, and the sections. */
export type Grouping = { field: Field; name: string; groups: Group[] }

/** More sections than this would not be an overview. */
const MOST = 40

/** The value of the section for rows without one. */
const NONE = '-'

/** Fields with few values, which can group a table. */
export const groupable = (fields: Field[]) =>
  fields.filter(
    (field) => field.filter !== false && ['choice', 'choices', 'boolean', 'member', 'tags'].includes(field.type),
  )

/** The sections of a table, if the address has a grouping. */
export function useGrouping(state: TableState, fields: Field[]): Grouping | undefined {
  const field = groupable(fields).find((one) => one.key === state.all.group)
  const { members } = useMembers()
  const tags = useList(field?.type === 'tags' ? '/tags' : null, { limit: '100', sort: 'name' }).data?.data ?? []
  if (!field) return undefined
  const groups = sections(field, members, tags).slice(0, MOST)
  if (!field.required) groups.push({ value: NONE, label: `No ${field.label.toLowerCase()}`, filter: 'is.null' })
  return { field, name: field.filter || field.key, groups }
}

type Members = ReturnType<typeof useMembers>['members']

function sections(field: Field, members: Members, tags: Tag[]): Group[] {
  switch (field.type) {
    case 'boolean':
      return [
        { value: 'true', label: `${field.label}: yes`, filter: 'eq.true' },
        { value: 'false', label: `${field.label}: no`, filter: 'eq.false' },
      ]
    case 'member':
      return members.map((one) => ({
        value: one.user_id,
        label: personName(one),
        filter: `eq.${one.user_id}`,
      }))
    case 'tags':
      return tags.map((one) => ({ value: one.id, label: one.name, color: one.color, filter: holds(one.name) }))
    case 'choices':
      return (field.options ?? []).map((one) => ({ ...one, filter: holds(one.value) }))
    default:
      return (field.options ?? []).map((one) => ({ ...one, filter: `eq.${one.value}` }))
  }
}

const holds = (value: string) => `cs.{${oneOf([value]).slice(4, -1)}}`

/** The filters of a table, restricted to one of its sections. */
export const narrowed = (params: Params, name: string, filter: string): Params => ({
  ...params,
  [name]: name in params ? [params[name], filter].flat() : filter,
})

/** The folded sections, as stored in the address. */
export function folded(state: TableState) {
  const closed = new Set((state.all.closed ?? '').split(',').filter(Boolean))
  return {
    closed,
    toggle: (value: string) => {
      const next = new Set(closed)
      if (!next.delete(value)) next.add(value)
      state.set({ closed: [...next].join(',') || undefined })
    },
  }
}
