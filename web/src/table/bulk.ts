import { get, type Params, post } from '../api/client'
import type { BulkResults } from '../api/types'
import type { Row } from '../fields/spec'

export type Chosen<T extends Row> = { rows: T[] } | { path: string; params: Params; total: number }

export type Outcome = { done: number; failed: number; reasons: string[]; ids: string[] }

/** What was chosen, some hundred at a time: the rows themselves, or all that the filters leave. */
export async function* pages<T extends Row>(chosen: Chosen<T>): AsyncGenerator<T[]> {
  if ('rows' in chosen) {
    for (let at = 0; at < chosen.rows.length; at += 500) yield chosen.rows.slice(at, at + 500)
    return
  }
  // In the order of creation, which a change does not move.
  const { sort: _, ...filters } = chosen.params
  let cursor: string | null = ''
  let held: T[] = []
  while (cursor !== null) {
    const answer: { data: T[]; meta: { next_cursor?: string | null } } = await get<T[]>(chosen.path, {
      ...filters,
      limit: '100',
      cursor,
    })
    held.push(...answer.data)
    cursor = answer.meta.next_cursor ?? null
    if (held.length >= 500 || cursor === null) {
      yield held
      held = []
    }
  }
}

/** Does the same to every chosen record through the bulk API and says how far it is. */
export async function updateMany<T extends Row>(
  collection: string,
  chosen: Chosen<T>,
  changes: (row: T) => object | null,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failed: 0, reasons: [], ids: [] }
  for await (const rows of pages(chosen)) {
    const items = rows.flatMap((row) => {
      const data = changes(row)
      return data ? [{ op: 'update', id: row.id, data }] : []
    })
    if (items.length > 0) {
      const { data } = await post<BulkResults>(`/${collection}/bulk`, { items })
      for (const result of data.results) {
        if (result.status < 300) {
          outcome.done += 1
          outcome.ids.push(items[result.index].id)
        } else {
          outcome.failed += 1
          const reason = result.error?.message ?? `status ${result.status}`
          if (outcome.reasons.length < 5 && !outcome.reasons.includes(reason)) outcome.reasons.push(reason)
        }
      }
    }
    onProgress(outcome.done + outcome.failed)
  }
  return outcome
}

/** One request for each chosen record, a few at a time. */
export async function eachOf<T extends Row>(
  chosen: Chosen<T>,
  run: (row: T) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failed: 0, reasons: [], ids: [] }
  for await (const rows of pages(chosen)) {
    const waiting = [...rows]
    const hand = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        try {
          await run(row)
          outcome.done += 1
          outcome.ids.push(row.id)
        } catch (error) {
          outcome.failed += 1
          const reason = (error as Error).message
          if (outcome.reasons.length < 5 && !outcome.reasons.includes(reason)) outcome.reasons.push(reason)
        }
        onProgress(outcome.done + outcome.failed)
      }
    }
    await Promise.all([hand(), hand(), hand(), hand()])
  }
  return outcome
}
