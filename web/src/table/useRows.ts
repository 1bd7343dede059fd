import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { get, type Params } from '../api/client'
import { keyOf } from '../api/query'
import type { Row } from '../fields/spec'

const PAGE = 100

/** The rows of a window over a long list: pages by offset, the total asked for beside them. */
export function useRows<T extends Row>(path: string, params: Params, first: number, last: number) {
  const counted = { ...params, limit: '1' }
  const total = useQuery({
    queryKey: keyOf(path, counted),
    queryFn: () => get<T[]>(path, counted),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  })
  const from = Math.max(0, Math.floor(first / PAGE))
  const to = Math.max(from, Math.floor(last / PAGE))
  const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const answers = useQueries({
    queries: pages.map((page) => {
      const asked = { ...params, limit: String(PAGE), offset: String(page * PAGE), count: 'none' }
      return { queryKey: keyOf(path, asked), queryFn: () => get<T[]>(path, asked), staleTime: 15_000 }
    }),
  })
  const rows = useMemo(() => {
    const found = new Map<number, T>()
    answers.forEach((answer, index) => {
      answer.data?.data.forEach((row, place) => {
        found.set(pages[index] * PAGE + place, row)
      })
    })
    return found
  }, [answers, pages])
  const known = total.data?.meta.total
  const reached = Math.max(0, ...Array.from(rows.keys(), (index) => index + 1))
  return {
    rows,
    total: known ?? reached,
    counted: known !== undefined && known !== null,
    error: (answers.find((answer) => answer.error)?.error ?? total.error) as Error | null,
    pending: answers.every((answer) => answer.isPending) && rows.size === 0,
    refetch: () => answers.forEach((answer) => void answer.refetch()),
  }
}
