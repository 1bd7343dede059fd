import { Button, Text } from '@mantine/core'
import { usePages } from '../api/query'
import type { Event } from '../api/types'
import { ago, full } from '../fields/format'
import { words } from '../fields/spec'
import { Empty, Loaded } from '../shell/Page'
import classes from './timeline.module.css'

const VERBS: Record<string, string> = {
  created: 'added',
  updated: 'changed',
  deleted: 'deleted',
  moved: 'moved',
  rejected: 'rejected',
  closed: 'closed',
  reopened: 'reopened',
  merged: 'merged',
  restored: 'brought back',
  archived: 'archived',
}

const THINGS: Record<string, string> = { entry: 'candidate', cv: 'CV' }

function sentence(event: Event): string {
  const [kind, verb] = event.type.split('.')
  const thing = THINGS[kind] ?? kind.replaceAll('_', ' ')
  return words(`${thing} ${VERBS[verb] ?? verb.replaceAll('_', ' ')}`)
}

const HIDDEN = new Set([
  'updated_at',
  'created_at',
  'id',
  'contact_id',
  'project_id',
  'company_id',
  'deal_id',
  'position',
  'version',
])

function told(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'object' ? Object.values(one as object)[0] : one)).join(', ') || '—'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? full(text) : text.length > 120 ? `${text.slice(0, 120)}…` : text
}

const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)

/** What happened to a record and to what hangs on it, newest first. */
export function Timeline({ path }: { path: string }) {
  const events = usePages<Event>(`${path}/timeline`, { limit: '50' })
  return (
    <Loaded of={events}>
      {() => {
        const all = events.data?.pages.flatMap((page) => page.data) ?? []
        if (all.length === 0) return <Empty title="Nothing has happened yet" />
        return (
          <>
            <ol className={classes.list}>
              {all.map((event) => (
                <li key={event.sequence} className={classes.item}>
                  <div>
                    <Text span fw={600} size="sm">
                      {sentence(event)}
                    </Text>{' '}
                    <Text span size="xs" c="dimmed" title={full(event.at)}>
                      {event.actor.name ? `${event.actor.name}, ` : ''}
                      {ago(event.at)}
                    </Text>
                  </div>
                  <Changes event={event} />
                </li>
              ))}
            </ol>
            {events.hasNextPage && (
              <Button variant="default" onClick={() => events.fetchNextPage()} loading={events.isFetchingNextPage}>
                Show older
              </Button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Changes({ event }: { event: Event }) {
  const shown = Object.entries(event.changes as Record<string, [unknown, unknown]>).filter(
    ([name, [from, to]]) =>
      !HIDDEN.has(name) && !isId(from) && !isId(to) && !(from === null && (to === null || told(to) === '—')),
  )
  if (shown.length === 0) return null
  const begun = event.type.endsWith('.created')
  return (
    <ul className={classes.changes}>
      {shown.slice(0, 8).map(([name, [from, to]]) => (
        <li key={name}>
          <span className="dim">{words(name)}:</span>{' '}
          {name === 'time_in_stage' ? lasted(from as number) : begun ? told(to) : `${told(from)} → ${told(to)}`}
        </li>
      ))}
    </ul>
  )
}

function lasted(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
