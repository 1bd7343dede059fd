import { Button, Text } from '@mantine/core'
import { ApiError, post } from '../api/client'
import { refresh, useAction, useGet } from '../api/query'
import type { Event, MergeDetails } from '../api/types'
import { clock, day, full } from '../fields/format'
import { useCan } from '../session'
import { ask } from '../shell/ask'
import { iconOf } from '../shell/icons'
import { Link } from '../shell/Link'
import { notify, notifyError } from '../shell/notices'
import { isText, textOf } from '../values'
import { describeEvent, kindOf, type NameOf, pageOf } from './describeEvent'
import classes from './timeline.module.css'

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
      notify('Undone')
    },
  )
  if (!may || merge.is_undone || new Date(merge.undo_until) < new Date()) return null
  const askFirst = async () => {
    const text = `${names} is restored with its links. Later changes stay.`
    if (await ask({ title: 'Undo this merge?', text, action: 'Undo merge' }))
      undo.mutate(undefined, { onError: notifyError })
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

type Props = {
  event: Event
  nameOf?: NameOf
  /** The page that shows the event; other records are linked. */
  path: string
}

/** One event: who did what and when, with what was written or changed. */
export function TimelineEvent({ event, nameOf, path }: Props) {
  const description = describeEvent(event, nameOf)
  const merge = useMerge(event)
  const sequence = useSequence(event)
  if (!description) return null
  const Glyph = iconOf(kindOf(event))
  const isReply = event.type === 'message.created' && event.changes.direction?.[1] === 'inbound'
  const merged = event.type.endsWith('.merged')
  const names = merge?.from.map((one) => one.name).join(', ')
  const title = names
    ? merged
      ? `Merged with ${names}`
      : `Merge with ${names} undone`
    : sequence
      ? `Enrolled in “${sequence.name}”`
      : description.title
  const to = sequence ? `/sequences/${sequence.id}` : pageOf(event, path)
  const by = event.actor.kind === 'system' ? '' : `${event.actor.name}, `
  return (
    <li className={classes.item}>
      <span className={classes.icon} data-in={isReply || undefined}>
        <Glyph size={14} />
      </span>
      <div>
        <Text span fw={600} size="sm">
          {to ? (
            <Link to={to} className="quiet">
              {title}
            </Link>
          ) : (
            title
          )}
        </Text>{' '}
        <Text span size="xs" c="dimmed" className="num" title={full(event.at)}>
          {by}
          {clock(event.at)}
        </Text>
        {merge && merged && <UndoMerge merge={merge} />}
      </div>
      {description.quote && (
        <div className={classes.quote} data-note={event.type.startsWith('note.') || undefined}>
          {description.quote}
        </div>
      )}
      {description.lines.length > 0 && (
        <ul className={classes.changes}>
          {description.lines.slice(0, 8).map((line) => (
            <li key={line.label}>
              <span className="dim">{line.label}:</span> {line.text}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The sequence in which somebody was enrolled. */
function useSequence(event: Event) {
  const may = useCan('sequences:read')
  const id = event.type === 'enrollment.created' ? event.changes.sequence_id?.[1] : null
  return useGet(may && isText(id) ? `/sequences/${id}` : null, undefined, { staleTime: 300_000, retry: false }).data
    ?.data
}
