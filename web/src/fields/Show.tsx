import type { ReactNode } from 'react'
import { useGet } from '../api/query'
import { personName, useMembers } from '../session'
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
  if (field.type === 'name') return personName((value ?? row) as never)
  if (value === null || value === undefined || value === '') return null
  switch (field.type) {
    case 'boolean':
      return value ? 'Yes' : 'No'
    case 'date':
      return day(value as string)
    case 'time':
      return <span title={full(value as string)}>{day(value as string)}</span>
    case 'rating':
      return <Stars rating={value as number} />
    case 'number':
      return count(value as number)
    case 'money':
      return money(value as number, (row.currency as string) ?? 'EUR')
    case 'choice': {
      const option = field.options?.find((one) => one.value === value)
      return <Chip value={value as string} label={option?.label} color={option?.color} />
    }
    case 'choices':
      return (
        <Tags names={(value as string[]).map((one) => field.options?.find((o) => o.value === one)?.label ?? one)} />
      )
    case 'tags':
    case 'list':
      return <Tags names={value as string[]} />
    case 'emails':
      return (value as { email: string }[]).map((one) => one.email).join(', ')
    case 'phones':
      return (value as { phone: string }[]).map((one) => one.phone).join(', ')
    case 'url':
      return (value as string).replace(/^https?:\/\/(www\.)?/, '')
    case 'member':
      return <MemberName id={value as string} />
    case 'company':
      return companyName ?? <CompanyName id={value as string} />
    default:
      return String(value)
  }
}
