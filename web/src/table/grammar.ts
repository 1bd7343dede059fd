import type { Params } from '../api/client'
import type { Field, FieldType } from '../fields/spec'

/** A condition; operators for one value use the first. */
export type Condition = { field: string; op: string; values: string[] }

export type Operator = { op: string; label: string; value: 'none' | 'one' | 'many' }

const NULLS: Operator[] = [
  { op: 'is.null', label: 'is empty', value: 'none' },
  { op: 'is.not_null', label: 'is not empty', value: 'none' },
]
const TEXT: Operator[] = [
  { op: 'contains', label: 'contains', value: 'one' },
  { op: 'eq', label: 'is', value: 'one' },
  { op: 'neq', label: 'is not', value: 'one' },
  { op: 'not.contains', label: 'does not contain', value: 'one' },
  { op: 'starts', label: 'starts with', value: 'one' },
  { op: 'in', label: 'is one of', value: 'many' },
  ...NULLS,
]
const NUMBER: Operator[] = [
  { op: 'eq', label: 'is', value: 'one' },
  { op: 'gte', label: 'at least', value: 'one' },
  { op: 'lte', label: 'at most', value: 'one' },
  { op: 'gt', label: 'more than', value: 'one' },
  { op: 'lt', label: 'less than', value: 'one' },
  ...NULLS,
]
const TIME: Operator[] = [
  { op: 'gte', label: 'on or after', value: 'one' },
  { op: 'lt', label: 'before', value: 'one' },
  ...NULLS,
]
const RECORD: Operator[] = [
  { op: 'eq', label: 'is', value: 'one' },
  { op: 'neq', label: 'is not', value: 'one' },
  ...NULLS,
]
const CHOICE: Operator[] = [
  { op: 'eq', label: 'is', value: 'one' },
  { op: 'neq', label: 'is not', value: 'one' },
  { op: 'in', label: 'is one of', value: 'many' },
  ...NULLS,
]
const LIST: Operator[] = [
  { op: 'cs', label: 'has all of', value: 'many' },
  { op: 'ov', label: 'has any of', value: 'many' },
  { op: 'not.ov', label: 'has none of', value: 'many' },
]

export function operatorsOf(type: FieldType): Operator[] {
  switch (type) {
    case 'number':
    case 'rating':
    case 'money':
      return NUMBER
    case 'date':
    case 'time':
      return TIME
    case 'choice':
    case 'boolean':
    case 'member':
      return CHOICE
    case 'company':
      return RECORD
    case 'list':
    case 'tags':
    case 'choices':
      return LIST
    default:
      return TEXT
  }
}

const special = /[,(){}"\\]/
const quoted = (item: string) => (special.test(item) ? `"${item.replace(/[\\"]/g, '\\$&')}"` : item)
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
/** A filter for any of these values, with special characters quoted. */
export const oneOf = (values: string[]) => `in.(${values.map(quoted).join(',')})`

/** A condition in the server's grammar: `ilike.%cto%`. */
export function written({ op, values }: Condition): string {
  const [value = ''] = values
  const list = values.map(quoted).join(',')
  switch (op) {
    case 'contains':
      return `ilike.%${escaped(value)}%`
    case 'not.contains':
      return `not.ilike.%${escaped(value)}%`
    case 'starts':
      return `ilike.${escaped(value)}%`
    case 'in':
      return `in.(${list})`
    case 'cs':
    case 'ov':
    case 'not.ov':
      return `${op}.{${list}}`
    case 'is.null':
    case 'is.not_null':
      return op
    default:
      return `${op}.${value}`
  }
}

const unescaped = (text: string) => text.replace(/\\(.)/g, '$1')
const items = (inside: string) =>
  (inside.match(/"(?:\\.|[^"\\])*"|[^,]+/g) ?? []).map((one) =>
    one.startsWith('"') ? unescaped(one.slice(1, -1)) : one.trim(),
  )

/** Parses a condition; null if the editor can't show it. */
export function read(field: string, text: string): Condition | null {
  const is = /^(is\.null|is\.not_null)$/.exec(text)
  if (is) return { field, op: is[1], values: [] }
  const like = /^(not\.)?ilike\.(%?)((?:[^%\\]|\\.)*)%$/.exec(text)
  if (like) {
    if (!like[2] && like[1]) return null
    return { field, op: like[2] ? `${like[1] ?? ''}contains` : 'starts', values: [unescaped(like[3])] }
  }
  const many = /^(in|cs|ov|not\.ov)\.[({](.*)[)}]$/.exec(text)
  if (many) return { field, op: many[1], values: items(many[2]) }
  const one = /^(eq|neq|gt|gte|lt|lte)\.(.*)$/s.exec(text)
  if (one) return { field, op: one[1], values: [one[2]] }
  if (/^(not|like|ilike|is)\./.test(text)) return null
  return { field, op: 'eq', values: [text] }
}

export type Asked = { any: boolean; conditions: Condition[]; rest: Params }

/** The name of a field's filter. */
export const filterOf = (field: Field) => field.filter || field.key

/** A condition that the editor can show for its field. */
function shown(condition: Condition | null, fields: Field[]): Condition | null {
  const field = fields.find((one) => filterOf(one) === condition?.field)
  return field && operatorsOf(field.type).some(({ op }) => op === condition?.op) ? condition : null
}

/** The address's filters as rows of the editor; `rest` has those without a row. */
export function conditionsOf(filters: Params, fields: Field[]): Asked {
  const names = new Set(fields.map(filterOf))
  const conditions: Condition[] = []
  const rest: Params = {}
  let any = false
  for (const [name, value] of Object.entries(filters)) {
    for (const text of Array.isArray(value) ? value : [value]) {
      if (name === 'or') {
        const parts = alternatives(text, names)
        if (parts?.every((one) => shown(one, fields)) && conditions.length === 0) {
          any = true
          conditions.push(...parts)
          continue
        }
      }
      const condition = shown(read(name, text), fields)
      if (condition && !any) conditions.push(condition)
      else rest[name] = name in rest ? [rest[name], text].flat() : text
    }
  }
  return { any, conditions, rest }
}

function alternatives(text: string, names: Set<string>): Condition[] | null {
  const inside = /^\((.*)\)$/s.exec(text)?.[1]
  if (!inside) return null
  const parts: string[] = []
  let depth = 0
  let quote = false
  let part = ''
  for (const sign of inside) {
    if (sign === '"') quote = !quote
    if (!quote && '({'.includes(sign)) depth++
    if (!quote && ')}'.includes(sign)) depth--
    if (sign === ',' && depth === 0 && !quote) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  parts.push(part)
  const found = parts.map((one) => {
    const name = [...names].filter((known) => one.startsWith(`${known}.`)).sort((a, b) => b.length - a.length)[0]
    return name ? read(name, one.slice(name.length + 1).replace(/^((?:not\.)?\w+\.)"(.*)"$/s, '$1$2')) : null
  })
  return found.every((one): one is Condition => one !== null) ? found : null
}

/** Whether a condition has all that it needs. */
export const isWhole = ({ field, op, values }: Condition) =>
  field !== '' && (op.startsWith('is.') || values.some((one) => one.trim() !== ''))

/** Rows of the editor as filters; incomplete ones are left out. */
export function filtersOf({ any, conditions, rest }: Asked): Params {
  const filters: Params = { ...rest }
  const whole = conditions.filter(isWhole)
  if (any && whole.length > 1) {
    const inList = (_: string, op: string, value: string) => op + (/^[({]/.test(value) ? value : quoted(value))
    const parts = whole.map((one) => `${one.field}.${written(one).replace(/^((?:not\.)?\w+\.)(.*)$/s, inList)}`)
    filters.or = `(${parts.join(',')})`
    return filters
  }
  for (const one of whole) {
    const text = written(one)
    filters[one.field] = one.field in filters ? [filters[one.field], text].flat() : text
  }
  return filters
}
