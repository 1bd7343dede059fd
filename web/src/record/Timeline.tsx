import { Button, Text } from '@mantine/core'
import { ApiError, post } from '../api/client'
import { refresh, useAction, useGet, usePages } from '../api/query'
import type { Event, MergeDetails } from '../api/types'
import { ago, day, full } from '../fields/format'
import { useCan } from '../session'
import { ask } from '../shell/Ask'
import { iconOf } from '../shell/icons'
import { Empty, Loaded } from '../shell/Page'
import { done, fail } from '../shell/tell'
import { textOf } from '../values'
import { type NameOf, narrate } from './narrate'
import classes from './timeline.module.css'

type Props = {
  path: `/contacts/${string}` | `/companies/${string}` | `/deals/${string}` | `/projects/${string}`
  /** Only the events of this linked record. */
  of?: { type: string; id: string }
  nameOf?: NameOf
}

/** The events of a record and of its linked records, newest first. */
export function Timeline({ path, of, nameOf }: Props) {
  const events = usePages(`${path}/timeline`, { limit: '50', ...(of ? { types: of.type } : {}) })
  return (
    <Loaded of={events}>
      {() => {
        const told = events.data?.pages.flatMap((page) => page.data) ?? []
        const all = of ? told.filter((event) => event.record.id === of.id) : told
        if (all.length === 0) return <Empty title="Nothing has happened yet" icon={iconOf('timeline')} />
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

/** The merge of an event, if the event names one. */
function useMerge(event: Event) {
  const [before, after] = event.changes.merge_id ?? []
  const id = /\.(un)?merged$/.test(event.type) ? textOf(after ?? before) : null
  return useGet(id ? `/dashboard/merges/${id}` : null, undefined, { retry: false }).data?.data
}

/** Undoes a merge for as long as that is possible. */
function UndoMerge({ merge }: { merge: MergeDetails }) {
  const may = useCan(`${merge.collection}:delete`)
  const names = merge.from.map((one) => one.name).join(', ')
  const undo = useAction(
    () =>
      post(`/${merge.collection}/merge/${merge.id}/undo`).catch((error) => {
        const again = error instanceof ApiError && /merged again since/.test(error.message)
        throw again ? new Error('The record was merged again since. Undo the later merge first.') : error
      }),
    () => {
      refresh(merge.collection, 'merges', 'duplicates')
      done('Undone')
    },
  )
  if (!may || merge.is_undone || new Date(merge.undo_until) < new Date()) return null
  const askFirst = async () => {
    const text = `${names} is restored with its links. Later changes stay.`
    if (await ask({ title: 'Undo this merge?', text, action: 'Undo merge' })) undo.mutate(undefined, { onError: fail })
  }
  return (
    <Button
      size="compact-xs"
      variant="default"
      ml="xs"
      loading={undo.isPending}
      title={`Until ${day(merge.undo_until)}`}
      onClick={askFirst}
    >
      Undo merge
    </Button>
  )
}

function One({ event, nameOf }: { event: Event; nameOf?: NameOf }) {
  const told = narrate(event, nameOf)
  const merge = useMerge(event)
  if (!told) return null
  const Glyph = iconOf(event.type.split('.')[0])
  const isReply = event.type === 'message.created' && event.changes.direction?.[1] === 'inbound'
  const merged = event.type.endsWith('.merged')
  const names = merge?.from.map((one) => one.name).join(', ')
  const title = names ? (merged ? `Merged with ${names}` : `Merge with ${names} undone`) : told.title
  const by = event.actor.kind === 'system' ? '' : `${event.actor.name}, `
  return (
    <li className={classes.item}>
      <span className={classes.icon} data-in={isReply || undefined}>
        <Glyph size={14} />
      </span>
      <div>
        <Text span fw={600} size="sm">
          {title}
        </Text>{' '}
        <Text span size="xs" c="dimmed" title={full(event.at)}>
          {by}
          {ago(event.at)}
        </Text>
        {merge && merged && <UndoMerge merge={merge} />}
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
