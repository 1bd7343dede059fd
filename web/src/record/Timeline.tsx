import { Button, Text } from '@mantine/core'
import { usePages } from '../api/query'
import type { Event } from '../api/types'
import { ago, full } from '../fields/format'
import { Empty, Loaded } from '../shell/Page'
import { type NameOf, narrate } from './narrate'
import classes from './timeline.module.css'

type Props = {
  path: string
  /** Only what happened to this one of the things that hang on the record. */
  of?: { type: string; id: string }
  nameOf?: NameOf
}

/** What happened to a record and to what hangs on it, newest first. */
export function Timeline({ path, of, nameOf }: Props) {
  const events = usePages<Event>(`${path}/timeline`, { limit: '50', ...(of ? { types: of.type } : {}) })
  return (
    <Loaded of={events}>
      {() => {
        const told = events.data?.pages.flatMap((page) => page.data) ?? []
        const all = of ? told.filter((event) => event.record.id === of.id) : told
        if (all.length === 0) return <Empty title="Nothing has happened yet" />
        return (
          <>
            <ol className={classes.list}>
              {all.map((event) => (
                <One key={event.sequence} event={event} nameOf={nameOf} />
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

function One({ event, nameOf }: { event: Event; nameOf?: NameOf }) {
  const told = narrate(event, nameOf)
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
