import { type Answer, type Params, request } from './client'
import type { Changeable, DataOf, Path } from './paths'

/** A list for components that work with any records: its path, and how its pages are read. */
export type List<T> = { path: string; page: (params?: Params) => Promise<Answer<T[]>> }

/** A list whose records can be changed in place. */
export type ChangeableList<T> = List<T> & { path: Changeable }

export const listOf = <P extends Path<'get'>>(path: P) => ({
  path,
  page: (params?: Params) => request<DataOf<P>>('GET', path, undefined, params),
})
