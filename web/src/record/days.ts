import type { Event } from '../api/types'
import { dayName } from '../fields/format'

/** The kinds of events that a timeline can show alone, with their names in the API. */
export const KINDS = [
  { value: 'messages', label: 'Messages', icon: 'message', types: 'message' },
  { value: 'notes', label: 'Notes', icon: 'note', types: 'note' },
  { value: 'tasks', label: 'Tasks', icon: 'task', types: 'task' },
  { value: 'deals', label: 'Deals', icon: 'deal', types: 'deal' },
  { value: 'projects', label: 'Projects', icon: 'project', types: 'project,entry' },
  { value: 'sequences', label: 'Sequences', icon: 'enrollment', types: 'enrollment' },
  {
    value: 'files',
    label: 'Files',
    icon: 'file',
    types: [
      'contact.cv_uploaded',
      'contact.cv_replaced',
      'contact.cv_deleted',
      'contact.file_added',
      'contact.file_deleted',
      'project.file_added',
      'project.file_deleted',
    ].join(),
  },
  {
    value: 'changes',
    label: 'Changes',
    icon: 'details',
    types: 'contact.updated,company.updated,deal.updated,project.updated,entry.updated,enrichment_request',
  },
]

/** An event, or several small ones in a row. */
export type Entry = Event[]

/** Members whose change by a person is part of the story: a finished task, a qualified contact. */
const SHOWN_CHANGES = ['status', 'global_status', 'do_not_contact', 'archived_at']

/** Whether an event is a detail: a changed field, an enrichment, a step of a sequence. */
function isSmall({ type, changes, actor }: Event): boolean {
  const [kind, verb] = type.split('.')
  if (kind === 'enrichment_request' || verb.startsWith('step_')) return true
  return (
    verb === 'updated' && kind !== 'note' && (actor.kind === 'system' || !SHOWN_CHANGES.some((name) => name in changes))
  )
}

/** The events by day. With `fold`, small ones in a row are one entry. */
export function daysOf(events: Event[], fold: boolean): { title: string; entries: Entry[] }[] {
  const days: { title: string; entries: Entry[] }[] = []
  for (const event of events) {
    const title = dayName(event.at)
    if (days.at(-1)?.title !== title) days.push({ title, entries: [] })
    const { entries } = days[days.length - 1]
    const last = entries.at(-1)
    if (fold && last && isSmall(event) && isSmall(last[0])) last.push(event)
    else entries.push([event])
  }
  return days
}
