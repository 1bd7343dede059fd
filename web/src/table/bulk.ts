import { type Answer, type Params, post } from '../api/client'
import type { List } from '../api/lists'
import type { BulkResults } from '../api/types'
import { errorText } from '../fields/errorText'
import type { Row } from '../fields/spec'

export type Chosen<T extends Row> = { rows: T[] } | { list: List<T>; params: Params; total: number }

/** The collections with a bulk operation. */
type Collection = 'contacts' | 'companies' | 'deals' | 'pipeline-entries'

export type Outcome = {
  done: number
  failed: number
  reasons: string[]
  /** The changed records. */
  ids: string[]
  /** The created records. */
  made: string[]
  /** The refused records, each with the reason. */
  refused: Map<string, string>
}

export const nothingYet = (): Outcome => ({ done: 0, failed: 0, reasons: [], ids: [], made: [], refused: new Map() })

function accept(outcome: Outcome, id: string) {
  outcome.done += 1
  outcome.ids.push(id)
}

function refuse(outcome: Outcome, id: string, reason: string) {
  outcome.failed += 1
  outcome.refused.set(id, reason)
  if (outcome.reasons.length < 5 && !outcome.reasons.includes(reason)) outcome.reasons.push(reason)
}

/** Reads the answer of the bulk API; `sent` has the records in the order of its items. */
function tally(outcome: Outcome, sent: { id: string }[], { results }: BulkResults) {
  for (const result of results) {
    const { id } = sent[result.index]
    if (result.status === 201 && result.id) outcome.made.push(result.id)
    if (result.status < 300) accept(outcome, id)
    else refuse(outcome, id, result.error?.message ?? `status ${result.status}`)
  }
}

/** The selection, some hundred records at a time: the rows themselves, or all that match the filters. */
export async function* pages<T extends Row>(chosen: Chosen<T>): AsyncGenerator<T[]> {
  if ('rows' in chosen) {
    for (let at = 0; at < chosen.rows.length; at += 500) yield chosen.rows.slice(at, at + 500)
    return
  }
  // In the order of creation, which changes do not affect.
  const { sort: _, ...filters } = chosen.params
  let cursor: string | null = ''
  let held: T[] = []
  while (cursor !== null) {
    const answer: Answer<T[]> = await chosen.list.page({ ...filters, limit: '100', cursor })
    held.push(...answer.data)
    cursor = answer.meta.next_cursor ?? null
    if (held.length >= 500 || cursor === null) {
      yield held
      held = []
    }
  }
}

/** Creates a record for every selected one through the bulk API. */
export async function createMany<T extends Row>(
  collection: Collection,
  chosen: Chosen<T>,
  dataOf: (row: T) => object,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome = nothingYet()
  for await (const rows of pages(chosen)) {
    const items = rows.map((row) => ({ op: 'create' as const, data: { ...dataOf(row) } }))
    const { data } = await post(`/${collection}/bulk`, { items })
    tally(outcome, rows, data)
    onProgress(outcome.done + outcome.failed)
  }
  return outcome
}

/** Makes the same change to every selected record through the bulk API and reports the progress. */
export async function updateMany<T extends Row>(
  collection: Collection,
  chosen: Chosen<T>,
  changes: (row: T) => object | null,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome = nothingYet()
  for await (const rows of pages(chosen)) {
    const items = rows.flatMap((row) => {
      const data = changes(row)
      return data ? [{ op: 'update' as const, id: row.id, data: { ...data } }] : []
    })
    if (items.length > 0) {
      const { data } = await post(`/${collection}/bulk`, { items })
      tally(outcome, items, data)
    }
    onProgress(outcome.done + outcome.failed)
  }
  return outcome
}

/** One request for each selected record, a few at a time. */
export async function eachOf<T extends Row>(
  chosen: Chosen<T>,
  run: (row: T) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome = nothingYet()
  for await (const rows of pages(chosen)) {
    const waiting = [...rows]
    const worker = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        try {
          await run(row)
          accept(outcome, row.id)
        } catch (error) {
          refuse(outcome, row.id, errorText(error))
        }
        onProgress(outcome.done + outcome.failed)
      }
    }
    await Promise.all([worker(), worker(), worker(), worker()])
  }
  return outcome
}

/** The same change to every selected record, with an undo to the previous values of the same members. */
export function reversible<T extends Row>(collection: Collection, changes: Partial<T>) {
  const before = new Map<string, object>()
  const held = (row: T) => Object.fromEntries(Object.keys(changes).map((name) => [name, row[name]]))
  return {
    work: (chosen: Chosen<T>, onProgress: (done: number) => void) =>
      updateMany(
        collection,
        chosen,
        (row) => {
          before.set(row.id, held(row))
          return changes
        },
        onProgress,
      ),
    undo: (outcome: Outcome) =>
      updateMany(
        collection,
        { rows: outcome.ids.map((id): Row => ({ id })) },
        (row) => before.get(row.id) ?? null,
        () => {},
      ),
  }
}

/** Changes the tags of every selected record, with an undo. Records whose tags stay the same are not written. */
export function retagging<T extends Row & { tags: string[] }>(
  collection: Collection,
  next: (tags: string[]) => string[],
) {
  const before = new Map<string, string[]>()
  return {
    work: (chosen: Chosen<T>, onProgress: (done: number) => void) =>
      updateMany(
        collection,
        chosen,
        (row) => {
          const after = next(row.tags)
          if (after.length === row.tags.length && after.every((one) => row.tags.includes(one))) return null
          before.set(row.id, row.tags)
          return { tags: after }
        },
        onProgress,
      ),
    undo: (outcome: Outcome) =>
      updateMany(
        collection,
        { rows: outcome.ids.map((id): Row => ({ id })) },
        (row) => ({ tags: before.get(row.id) ?? [] }),
        () => {},
      ),
  }
}
