import { COMPANY_FIELDS, CONTACT_FIELDS, DEAL_FIELDS, PROJECT_ENTRY_FIELDS, PROJECT_FIELDS } from '../generated/fields'
import { type Field, type FieldType, options } from './spec'

/** A field as the server declares it. */
type Declared = {
  key: string
  label: string
  type: Exclude<FieldType, 'name' | 'choices'>
  sort?: boolean
  filter: string | false
  readonly?: boolean
  required?: boolean
  choices?: readonly string[]
}

const WIDTHS: Record<Declared['type'], number> = {
  text: 160,
  long_text: 240,
  number: 110,
  money: 135,
  rating: 110,
  boolean: 120,
  date: 130,
  time: 120,
  choice: 120,
  list: 180,
  tags: 200,
  url: 190,
  emails: 220,
  phones: 150,
  member: 150,
  company: 180,
}

type Widths<T extends readonly Declared[]> = Partial<Record<T[number]['key'], number>>

/** The fields of a table; `widths` has the columns that are wider or narrower than others of their type. */
function fieldsOf<const T extends readonly Declared[]>(table: T, widths: Widths<T> = {}): Field[] {
  const wide: Record<string, number | undefined> = widths
  return table.map(({ choices, ...one }) => ({
    ...one,
    width: wide[one.key] ?? WIDTHS[one.type],
    ...(choices ? { options: options(...choices) } : {}),
  }))
}

export const CONTACT = fieldsOf(CONTACT_FIELDS, {
  first_name: 130,
  last_name: 130,
  title: 210,
  current_company: 180,
  skills: 220,
  languages: 140,
  years_experience: 150,
})
export const COMPANY = fieldsOf(COMPANY_FIELDS, {
  name: 220,
  domain: 180,
  email: 200,
  contacts_count: 90,
  deals_count: 80,
})
export const DEAL = fieldsOf(DEAL_FIELDS, { title: 260, stage_id: 150, currency: 90 })
export const PROJECT = fieldsOf(PROJECT_FIELDS, { name: 220, client_name: 180 })
export const ENTRY = fieldsOf(PROJECT_ENTRY_FIELDS, { stage_id: 140, rejection_reason_id: 170 })

/** The field of this name; the tables are generated, so a missing one is an error of the build. */
export function field(table: Field[], key: string, changes: Partial<Field> = {}): Field {
  const found = table.find((one) => one.key === key)
  if (!found) throw new Error(`there is no field ${key}`)
  return { ...found, ...changes }
}

/** A table with changes to some of its fields. */
export const changed = (table: Field[], changes: Record<string, Partial<Field>>): Field[] =>
  table.map((one) => ({ ...one, ...changes[one.key] }))
