import type { ReactNode } from 'react'
import { useGet } from '../api/query'
import { nameOf, useMembers } from '../session'
import { isText, recordsOf, textOf, textsOf } from '../values'
import { count, day, full, money } from './format'
import { Stars } from './Stars'
import { type Field, memberOf, type Row, words } from './spec'

const COLORS: Record<string, string> = {
  new: '#74818f',
  contacted: '#1c7ed6',
  replied: '#0ca678',
  qualified: '#7048e8',
  archived: '#adb5bd',
  open: '#1c7ed6',
  won: '#2f9e44',
  lost: '#e03131',
  disqualified: '#adb5bd',
  active: '#2f9e44',
  draft: '#74818f',
  paused: '#f08c00',
  finished: '#1c7ed6',
  bounced: '#e03131',
  failed: '#e03131',
  error: '#e03131',
  unsubscribed: '#f08c00',
  unenrolled: '#adb5bd',
  connected: '#2f9e44',
  disconnected: '#adb5bd',
  completed: '#2f9e44',
  pending: '#74818f',
  processing: '#1c7ed6',
  undone: '#adb5bd',
  undoing: '#f08c00',
  high: '#e03131',
  medium: '#f08c00',
  low: '#74818f',
  done: '#2f9e44',
  todo: '#1c7ed6',
  skipped: '#adb5bd',
  queued: '#74818f',
  sent: '#2f9e44',
  received: '#1c7ed6',
}

export function Chip({ value, label, color }: { value: string; label?: string; color?: string | null }) {
  return (
    <span className="chip">
      <span className="chip-dot" style={{ background: color ?? COLORS[value] ?? '#74818f' }} />
      <span className="cut">{label ?? words(value)}</span>
    </span>
  )
}

export function Tags({ names }: { names: string[] }) {
  return names.map((name) => (
    <span key={name} className="tag">
      {name}
    </span>
  ))
}

function MemberName({ id }: { id: string }) {
  return useMembers().nameOf(id)
}

function CompanyName({ id }: { id: string }) {
  return useGet(`/companies/${id}`, undefined, { staleTime: 300_000 }).data?.data.name ?? ''
}

type ShowProps = {
  row: Row
  field: Field
  /** The company's name, if the record contains it. */
  companyName?: string
}

/** A value in readable form. */
export function Show({ row, field, companyName }: ShowProps): ReactNode {
  if (field.show) return field.show(row)
  const value = memberOf(row, field.key)
  // The name of the record itself, or of its person.
  if (field.type === 'name') return nameOf(value ?? row)
  if (value === null || value === undefined || value === '') return null
  if (isText(value)) return showText(value, field, companyName)
  if (typeof value === 'number') return showNumber(value, field, textOf(row.currency))
  if (Array.isArray(value)) return showList(value, field)
  if (field.type === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

function showText(text: string, field: Field, companyName?: string): ReactNode {
  switch (field.type) {
    case 'date':
      return day(text)
    case 'time':
      return <span title={full(text)}>{day(text)}</span>
    case 'choice': {
      const option = field.options?.find((one) => one.value === text)
      return <Chip value={text} label={option?.label} color={option?.color} />
    }
    case 'url':
      return text.replace(/^https?:\/\/(www\.)?/, '')
    case 'member':
      return <MemberName id={text} />
    case 'company':
      return companyName ?? <CompanyName id={text} />
    default:
      return text
  }
}

function showNumber(number: number, field: Field, currency: string | null): ReactNode {
  switch (field.type) {
    case 'rating':
      return <Stars rating={number} />
    case 'number':
      return count(number)
    case 'money':
      return money(number, currency ?? 'EUR')
    default:
      return String(number)
  }
}

function showList(list: unknown[], field: Field): ReactNode {
  switch (field.type) {
    case 'choices':
      return <Tags names={textsOf(list).map((one) => field.options?.find((o) => o.value === one)?.label ?? one)} />
    case 'tags':
    case 'list':
      return <Tags names={textsOf(list)} />
    case 'emails':
      return recordsOf(list)
        .map((one) => one.email)
        .join(', ')
    case 'phones':
      return recordsOf(list)
        .map((one) => one.phone)
        .join(', ')
    default:
      return String(list)
  }
}
