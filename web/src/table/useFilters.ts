import type { Params } from '../api/client'
import type { Field } from '../fields/spec'
import { type Asked, type Condition, conditionsOf, filtersOf } from './grammar'
import type { TableState } from './state'

/** The filters of a list as conditions, and how they are changed. Words of the search are not among them. */
export function useFilters(state: TableState, all: Field[]) {
  const fields = all.filter((field) => field.filter !== false && field.type !== 'name')
  const { search, ...plain } = state.filters
  const asked = conditionsOf(plain, fields)
  const apply = (next: Asked) => {
    const gone: Record<string, undefined> = {}
    for (const name of Object.keys(plain)) gone[name] = undefined
    state.set({ ...gone, ...filtersOf(next) })
  }
  const replace = (index: number, condition?: Condition) =>
    apply({ ...asked, conditions: asked.conditions.flatMap((one, at) => (at === index ? (condition ?? []) : one)) })
  return {
    fields,
    asked,
    apply,
    /** Changes a condition, or removes it. */
    replace,
    clear: () => apply({ any: false, conditions: [], rest: {} }),
    /** The number of filters, with those that the editor can't show. */
    active: asked.conditions.length + Object.values<Params[string]>(asked.rest).flat().length,
  }
}
