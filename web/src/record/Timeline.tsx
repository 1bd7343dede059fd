import { Button, Text } from '@mantine/core'
import { usePages } from '../api/query'
import type { Event } from '../api/types'
import { ago, full } from '../fields/format'
import { Empty, Loaded } from '../shell/Page'
import { narrate } from './narrate'
import classes from './timeline.module.css'

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
                <One key={event.sequence} event={event} />
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

function One({ event }: { event: Event }) {
  const told = narrate(event)
  if (!told) return null
  const by = event.actor.kind === 'system' ? '' : `${event.actor.name}, `
  return (
    <li className={classes.item}>
      <div>
        <Text span fw={600} size="sm">
          {told.title}
        </Text>{' '}
        <Text span size="xs" c="dimmed" title={full(event.at)}>
          {by}
          {ago(event.at)}
        </Text>
      </div>
      {told.quote && <div className={classes.quote}>{told.quote}</div>}
      {told.lines.length > 0 && (
        <ul className={classes.changes}>
          {told.lines.slice(0, 8).map((line) => (
            <li key={line.label}>
              <span className="dim">{line.label}:</span> {line.text}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
