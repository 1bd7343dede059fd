import type { Row } from '../fields/spec'
import { nameOf } from '../session'
import { textOf } from '../values'

/** The collections whose records can be merged. */
export type Mergeable = 'contacts' | 'companies'

export const titleOf = (collection: Mergeable, row: Row) =>
  collection === 'contacts' ? nameOf(row) : (textOf(row.name) ?? '')
