import { keepPreviousData, type UseQueryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { Answer, Params } from '../api/client'
import type { List } from '../api/lists'
import { keyOf } from '../api/query'
import type { Row } from '../fields/spec'
import { type Group, type Grouping, narrowed } from './groups'

const PAGE = 100

/** A line of the table: a row, or the head of a section. */
export type Line<T> = { row: T } | { group: Group; count: number | undefined; open: boolean }

/** Consecutive rows of one list, and the line of the first. */
type Run = { params: Params; begin: number; length: number }

/** The number of records that match the filters. */
function counting<T>(list: List<T>, params: Params) {
  const counted = { ...params, limit: '1' }
  return {
    queryKey: keyOf(list.path, counted),
    queryFn: () => list.page(counted),
    staleTime: 15_000,
  } satisfies UseQueryOptions<Answer<T[]>>
}

/** The lines of a window over a long list: pages by offset, with the totals in separate requests. */
export function useRows<T extends Row>(
  list: List<T>,
  params: Params,
  grouping: Grouping | undefined,
  closed: Set<string>,
  first: number,
  last: number,
) {
  const whole = useQuery({ ...counting(list, params), placeholderData: keepPreviousData })
  const groups = grouping?.groups ?? []
  const paramsOf = (group: Group) => narrowed(params, grouping?.name ?? '', group.filter)
  const counts = useQueries({ queries: groups.map((group) => counting(list, paramsOf(group))) })
  const known = whole.data?.meta.total

  const lines = new Map<number, Line<T>>()
  const runs: Run[] = []
  let length = 0
  groups.forEach((group, index) => {
    const count = counts[index].data?.meta.total ?? undefined
    if (count === 0) return
    const open = !closed.has(group.value)
    if (length >= first && length <= last) lines.set(length, { group, count, open })
    length += 1
    if (!open || count === undefined) return
    runs.push({ params: paramsOf(group), begin: length, length: count })
    length += count
  })
  if (!grouping) runs.push({ params, begin: 0, length: known ?? Number.POSITIVE_INFINITY })

  const pages = runs.flatMap((run) => {
    const from = Math.max(first, run.begin) - run.begin
    const to = Math.min(Math.max(last, first), run.begin + run.length - 1) - run.begin
    const found = []
    for (let page = Math.floor(from / PAGE); page * PAGE <= to; page++) found.push({ run, page })
    return found
  })
  const answers = useQueries({
    queries: pages.map(({ run, page }) => {
      const asked = { ...run.params, limit: String(PAGE), offset: String(page * PAGE), count: 'none' }
      return { queryKey: keyOf(list.path, asked), queryFn: () => list.page(asked), staleTime: 15_000 }
    }),
  })
  let reached = 0
  answers.forEach((answer, index) => {
    const { run, page } = pages[index]
    answer.data?.data.forEach((row, place) => {
      const at = page * PAGE + place
      if (at < run.length) lines.set(run.begin + at, { row })
      reached = Math.max(reached, run.begin + at + 1)
    })
  })
  return {
    lines,
    /** The number of lines, including heads of sections. */
    length: grouping ? length : (known ?? reached),
    total: known ?? reached,
    counted: known !== undefined && known !== null,
    error: [...answers, ...counts].find((answer) => answer.error)?.error ?? whole.error,
    pending: lines.size === 0 && (whole.isPending || answers.some((answer) => answer.isPending)),
  }
}
