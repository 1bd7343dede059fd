import type { ReactNode } from 'react'
import type { CustomField } from '../api/types'
import { isRecord, isText } from '../values'
import type { Progress } from './Ring'

export type FieldType =
  | 'text'
  | 'long_text'
  | 'number'
  | 'money'
  | 'rating'
  | 'boolean'
  | 'date'
  | 'time'
  | 'choice'
  | 'list'
  | 'choices'
  | 'tags'
  | 'url'
  | 'emails'
  | 'phones'
  | 'member'
  | 'company'
  | 'name'

/** A choice; `progress` is its place if the choices have an order. */
export type Option = { value: string; label: string; color?: string; progress?: Progress }

/** A member of a record, defined once for columns, filters, details and forms. */
export type Field = {
  key: string
  label: string
  type: FieldType
  width?: number
  sort?: boolean
  /** The name of its filter, if it differs from the member's. */
  filter?: string | false
  readonly?: boolean
  options?: Option[]
  required?: boolean
  /** How it is shown, if it is more than the member's value. */
  show?: (row: Row) => ReactNode
}

/** Whether a text is the name of a company. */
export const isCompanyName = (field: Field) => /(^|\.)current_company$/.test(field.key)

export type Row = { id: string } & Record<string, unknown>

/** Whether a value of any type is a record with an id. */
export const isRow = (value: unknown): value is Row => isRecord(value) && isText(value.id)

export function memberOf(row: Row, key: string): unknown {
  const [outer, ...inner] = key.split('.')
  const value = row[outer]
  if (inner.length > 0) return isRecord(value) ? (value[inner.join('.')] ?? null) : null
  return value
}

/** The request body that sets one member. */
export function bodyOf(key: string, value: unknown): Record<string, unknown> {
  if (key.startsWith('custom_data.')) return { custom_data: { [key.slice(12)]: value } }
  return { [key]: value }
}

const CUSTOM: Record<CustomField['type'], FieldType> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  select: 'choice',
  multi_select: 'choices',
  url: 'url',
}

export function customFields(definitions: CustomField[]): Field[] {
  return definitions.map((one) => ({
    key: `custom_data.${one.key}`,
    label: one.label,
    type: CUSTOM[one.type],
    options: one.options,
    sort: one.type !== 'multi_select',
    width: 140,
  }))
}

/** The labels of a generated table of fields, for forms that have inputs of their own. */
export const labelsOf =
  <const T extends readonly { key: string; label: string }[]>(table: T) =>
  (key: T[number]['key']): string => {
    const found = table.find((one) => one.key === key)
    if (!found) throw new Error(`there is no field ${key}`)
    return found.label
  }

/** The choice that a select returned, as its type. */
export const choiceOf = <T extends string>(choices: readonly T[], value: string | null): T | undefined =>
  choices.find((one) => one === value)

/** Words that are not written in small letters. */
const SPELLINGS: Partial<Record<string, string>> = {
  api: 'API',
  crm: 'CRM',
  cv: 'CV',
  id: 'ID',
  inmail: 'InMail',
  url: 'URL',
}

/** `network_connect` as `Network connect`. */
export const humanize = (text: string) => {
  const plain = text.replaceAll('_', ' ').replace(/\b[a-z]+\b/g, (word) => SPELLINGS[word] ?? word)
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

export const options = (...values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: humanize(value) }))

/** The options of a select from a table with the label of each choice, in the order of the table. */
export function optionsOf<T extends string>(labels: Readonly<Record<T, string>>): { value: T; label: string }[] {
  const isChoice = (value: string): value is T => value in labels
  return Object.keys(labels)
    .filter(isChoice)
    .map((value) => ({ value, label: labels[value] }))
}
