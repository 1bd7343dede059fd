import type { Event, Message } from '../api/types'
import { failureOf } from '../compose/failures'
import { full, lasted } from '../fields/format'
import { choiceOf, type Field, humanize } from '../fields/spec'
import { COMPANY, CONTACT, DEAL, ENTRY, PROJECT } from '../fields/tables'
import { MESSAGE_CHOICES } from '../generated/fields'
import { isRecord, isText, numberOf, textOf } from '../values'

export type Line = { label: string; text: string }
export type EventDescription = { title: string; quote?: string; lines: Line[] }

/** The words of events that differ from those of the API, which has no list of them. */
const VERBS: Record<string, string> = {
  created: 'added',
  updated: 'changed',
  restored: 'brought back',
}
const THINGS: Record<string, string> = { entry: 'candidate', enrichment_request: 'enrichment' }
const CHANNELS: Record<Message['channel'], string> = {
  email: 'Email',
  network: 'Network message',
  chat: 'Chat message',
}

/** Members that only the server uses. */
const INTERNAL = new Set([
  'id',
  'created_at',
  'updated_at',
  'position',
  'version',
  'last_contacted_at',
  'last_message_at',
  'unread_count',
  'next_step_at',
  'enrolled_at',
  'finished_at',
  'completed_at',
  'sent_at',
  'read_at',
  'direction',
  'channel',
  'kind',
  'html',
  'attachments',
  'step',
  'is_pinned',
  'custom_variables',
  'merged',
  'merge_id',
  'merged_into',
])

const isId = (value: unknown): value is string => isText(value) && /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)
const isPlain = (value: unknown) => value === null || typeof value !== 'object' || Array.isArray(value)

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'object' && one ? Object.values(one)[0] : one)).join(', ') || '—'
  if (value === true || value === false) return value ? 'yes' : 'no'
  const text = String(value)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? full(text) : text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** The name for an id, if the screen knows it. */
export type NameOf = (id: string) => string | undefined

/** The fields of the records that have some, by the kind of their events. */
const FIELDS: Record<string, Field[]> = {
  contact: CONTACT,
  company: COMPANY,
  deal: DEAL,
  project: PROJECT,
  entry: ENTRY,
}

/** The changed members, without ids and internal ones, with the labels that they have on their page. */
function lines(event: Event, skip: string[] = [], nameOf?: NameOf): Line[] {
  const begun = event.type.endsWith('.created')
  const fields = FIELDS[event.type.split('.')[0]] ?? []
  return Object.entries(event.changes).flatMap(([name, [from, to]]) => {
    if (name === 'time_in_stage') return [{ label: 'Time in the stage', text: lasted(numberOf(from) ?? 0) }]
    if (name === 'custom_data') {
      const before = isRecord(from) ? from : {}
      const after = isRecord(to) ? to : {}
      return Object.keys({ ...before, ...after })
        .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
        .map((key) => ({
          label: humanize(key),
          text: begun ? shown(after[key]) : `${shown(before[key])} → ${shown(after[key])}`,
        }))
    }
    const named = [from, to].map((id) => (isId(id) ? nameOf?.(id) : undefined))
    if (named[0] || named[1]) {
      const label = humanize(name.replace(/_id$/, ''))
      return [{ label, text: begun ? shown(named[1]) : `${shown(named[0])} → ${shown(named[1])}` }]
    }
    if (
      INTERNAL.has(name) ||
      name.endsWith('_ids') ||
      skip.includes(name) ||
      isId(from) ||
      isId(to) ||
      !isPlain(from) ||
      !isPlain(to)
    )
      return []
    if (shown(from) === shown(to)) return []
    const field = fields.find((one) => one.key === name)
    const inWords = (value: unknown) => (field?.options && isText(value) ? humanize(value) : shown(value))
    return [{ label: field?.label ?? humanize(name), text: begun ? inWords(to) : `${inWords(from)} → ${inWords(to)}` }]
  })
}

const stepName = (step: unknown) => {
  const { type, name } = isRecord(step) ? step : {}
  const kind = humanize(textOf(type) ?? 'step')
  return name ? `“${name}” (${kind.toLowerCase()})` : kind.toLowerCase()
}

/** Describes an event; null if another event beside it says the same. */
export function describeEvent(event: Event, nameOf?: NameOf): EventDescription | null {
  const { changes } = event
  const to = (name: string) => changes[name]?.[1]
  const [kind, verb] = event.type.split('.')
  const plain = humanize(`${THINGS[kind] ?? kind.replaceAll('_', ' ')} ${VERBS[verb] ?? verb.replaceAll('_', ' ')}`)
  const description: EventDescription = { title: plain, lines: lines(event, [], nameOf) }
  switch (kind) {
    case 'conversation':
      return null
    case 'message': {
      if (verb === 'created') {
        const channel = choiceOf(MESSAGE_CHOICES.channel, textOf(to('channel')) ?? null)
        const out = to('direction') === 'outbound'
        const address = to('address') ? ` ${out ? 'to' : 'from'} ${to('address')}` : ''
        const subject = to('subject') ? `${to('subject')}\n` : ''
        const machine = to('kind') && to('kind') !== 'message' ? ` (${humanize(String(to('kind'))).toLowerCase()})` : ''
        const later = textOf(to('send_at'))
        const when = later ? `, scheduled for ${full(later)}` : ''
        return {
          title: `${channel ? CHANNELS[channel] : 'Message'}${address}${machine}${when}`,
          quote: `${subject}${short(to('content'))}`,
          lines: [],
        }
      }
      if (to('error') === 'cancelled') return { title: 'Scheduled message cancelled', lines: [] }
      const error = textOf(to('error'))
      return error ? failed(error) : null
    }
    case 'enrollment': {
      if (verb === 'updated') return null
      if (verb === 'created') return { title: 'Enrolled in a sequence', lines: [] }
      const reason = [to('step_reason'), to('reason')]
        .filter((one) => typeof one === 'string')
        .map((one) => ({ label: 'Why', text: shown(one) }))
      if (verb.startsWith('step_')) return { title: `Step ${stepName(to('step'))} ${verb.slice(5)}`, lines: reason }
      if (verb === 'contact_replied') return { title: 'Replied', lines: [] }
      return { title: humanize(`sequence ${verb.replaceAll('_', ' ')}`), lines: reason }
    }
    case 'note':
      return verb === 'updated'
        ? description
        : { title: plain, quote: short(to('content') ?? changes.content?.[0]), lines: [] }
    case 'task':
    case 'deal':
      if (verb === 'created')
        return {
          title: `${humanize(kind)} “${to('title')}” added`,
          lines: lines(event, ['title', 'status', 'type', 'description']),
        }
      return description
    case 'contact':
    case 'company':
      if (verb === 'merged') return { ...description, title: 'Merged with another record' }
      if (verb === 'unmerged') return { ...description, title: 'Merge undone' }
      if (verb === 'unsubscribed') return { title: 'Unsubscribed by a reply', lines: [] }
      return verb === 'updated' && description.lines.length === 0 ? null : description
    default:
      return description
  }
}

/** The failure of a message: what it means, and the words of the mail server. */
function failed(error: string): EventDescription {
  const { title, advice } = failureOf(error)
  return {
    title,
    lines: [
      { label: 'What to do', text: advice },
      { label: 'Details', text: shown(error) },
    ],
  }
}

const short = (value: unknown) => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text.length > 220 ? `${text.slice(0, 220)}…` : text
}

const PAGES: Record<string, string> = {
  contact: '/contacts',
  company: '/companies',
  deal: '/deals',
  project: '/projects',
}

/** The page of the event's record, unless it is the one that shows the event. */
export function pageOf({ type, record }: Event, path: string): string | undefined {
  const page = PAGES[record.type]
  const isGone = /\.(deleted|erased)$/.test(type)
  return page && !isGone && !path.endsWith(record.id) ? `${page}/${record.id}` : undefined
}

/** What the icon of an event shows: the channel of a message, the type of a task, a file, or the kind of record. */
export function kindOf({ type, changes }: Event): string {
  const [kind, verb] = type.split('.')
  if (verb.startsWith('cv_')) return 'cv'
  if (verb.startsWith('file_')) return 'file'
  const detail = kind === 'message' ? changes.channel?.[1] : kind === 'task' ? changes.type?.[1] : null
  return textOf(detail) ?? kind
}
