import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Params } from '../api/client'
import type { Search } from '../searchParams'

/** The parameters of the address that are not filters. */
const NOT_FILTERS = [
  'sort',
  'columns',
  'view',
  'layout',
  'new',
  'archived',
  'open',
  'next',
  'entry',
  'group',
  'closed',
  'kinds',
]

export type TableState = {
  all: Search
  /** Filters in the list grammar, as in the address. */
  filters: Params
  sort: string
  columns: string[]
  widths: Record<string, number>
  /** The query to the server: filters, sort, and no archived records unless wanted. */
  params: Params
  set: (changes: Record<string, string | string[] | undefined>) => void
  replace: (state: Search) => void
}

export function useTableState(defaults: { columns: string[]; sort: string; hideArchived: boolean }): TableState {
  const all = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  const go = useCallback((search: Search) => navigate({ to: '.', search: search, replace: true }), [navigate])
  return useMemo(() => {
    const filters: Params = {}
    for (const [name, value] of Object.entries(all))
      if (value !== undefined && !NOT_FILTERS.includes(name)) filters[name] = value
    const sort = all.sort ?? defaults.sort
    const widths: Record<string, number> = {}
    const columns = (all.columns ? all.columns.split(',') : defaults.columns).map((one) => {
      const [key, width] = one.split(':')
      if (width) widths[key] = Number(width)
      return key
    })
    const params: Params = { ...filters, sort }
    if (defaults.hideArchived && !('archived_at' in filters) && all.archived !== 'all') params.archived_at = 'is.null'
    return {
      all,
      filters,
      sort,
      columns,
      widths,
      params,
      set: (changes) => {
        const next: Search = { ...all, ...changes }
        for (const [name, value] of Object.entries(next)) if (value === undefined || value === '') delete next[name]
        go(next)
      },
      replace: go,
    }
  }, [all, defaults, go])
}
