/** Checks of values whose type only the server knows: custom fields, members of any record, errors. */

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | null => (isText(value) ? value : null)

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** The texts of a list; other values have none. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])

/** The records of a list; other values have none. */
export const recordsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []
