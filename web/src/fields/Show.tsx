import type { ReactNode } from 'react'
import { useGet } from '../api/query'
import { nameOf, useMembers } from '../session'
import { Named } from '../shell/Avatar'
import { isText, recordsOf, textOf, textsOf } from '../values'
import { count, day, full, money } from './format'
import { type Progress, Ring } from './Ring'
import { Stars } from './Stars'
import { type Field, humanize, isCompanyName, memberOf, type Row } from './spec'

type Mark = [progress: Progress, tone: string]

/** How far a record of each status has come, and its colour in tokens.css. */
const MARKS: Record<string, Mark> = {
  new: [0, 'ink-3'],
  contacted: [0.25, 'blue'],
  replied: [0.5, 'accent'],
  qualified: [0.75, 'violet'],
  archived: ['given up', 'ink-3'],
  open: [0.5, 'blue'],
  won: ['reached', 'ok'],
  lost: ['given up', 'danger'],
  disqualified: ['given up', 'ink-3'],
  active: [0.5, 'ok'],
  draft: [0, 'ink-3'],
  paused: [0.5, 'warn'],
  finished: ['reached', 'blue'],
  bounced: ['given up', 'danger'],
  failed: ['given up', 'danger'],
  error: ['given up', 'danger'],
  unsubscribed: ['given up', 'warn'],
  unenrolled: ['given up', 'ink-3'],
  connected: ['reached', 'ok'],
  disconnected: ['given up', 'ink-3'],
  completed: ['reached', 'ok'],
  pending: [0, 'ink-3'],
  processing: [0.5, 'blue'],
  undone: ['given up', 'ink-3'],
  undoing: [0.5, 'warn'],
  high: [1, 'danger'],
  medium: [0.5, 'warn'],
  low: [0.25, 'ink-3'],
  done: ['reached', 'ok'],
  todo: [0, 'blue'],
  skipped: ['given up', 'ink-3'],
  queued: [0, 'ink-3'],
  sent: ['reached', 'ok'],
  received: ['reached', 'blue'],
}

type ChipProps = { value: string; label?: string; color?: string | null; progress?: Progress }

/** A status or an option: a mark and a word. */
export function Chip({ value, label, color, progress }: ChipProps) {
  const [known, tone] = MARKS[value] ?? [undefined, 'ink-3']
  const place = progress ?? (color ? undefined : known)
  const paint = color ?? `var(--r-${tone})`
  return (
    <span className="chip">
      {place === undefined ? (
        <span className="chip-dot" style={{ background: paint }} />
      ) : (
        <Ring progress={place} color={paint} />
      )}
      <span className="cut">{label ?? humanize(value)}</span>
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
  return <Named name={useMembers().nameOf(id)} size={18} />
}

function CompanyName({ id }: { id: string }) {
  const name = useGet(`/companies/${id}`, undefined, { staleTime: 300_000 }).data?.data.name
  return <Named name={name ?? ''} company size={18} />
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
      return <Chip value={text} label={option?.label} color={option?.color} progress={option?.progress} />
    }
    case 'url':
      return text.replace(/^https?:\/\/(www\.)?/, '')
    case 'member':
      return <MemberName id={text} />
    case 'company':
      return companyName ? <Named name={companyName} company size={18} /> : <CompanyName id={text} />
    default:
      return isCompanyName(field) ? <Named name={text} company size={18} /> : text
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
