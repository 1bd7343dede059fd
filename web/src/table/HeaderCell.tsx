import { type DragEvent, type PointerEvent, useState } from 'react'
import type { Field } from '../fields/spec'
import { sortKeyOf } from './SortBy'
import type { TableState } from './state'
import classes from './table.module.css'

/** The type of what is dragged, so that nothing else is taken for a column. */
const COLUMN = 'application/x-relata-column'

type Props = {
  field: Field
  state: TableState
  width: number
  /** The first column stays in its place. */
  lead?: boolean
  /** Puts the column with this key in the place of this one. */
  onPlace: (key: string) => void
}

/** The head of a column: sorts, and is dragged to another place. Its edge is dragged to another width. */
export function HeaderCell({ field, state, width, lead, onPlace }: Props) {
  const [isOver, setOver] = useState(false)
  // The first column neither moves nor gives way to another one.
  const dragging = lead
    ? {}
    : {
        draggable: true,
        onDragStart: (event: DragEvent) => event.dataTransfer.setData(COLUMN, field.key),
        onDragOver: (event: DragEvent) => {
          if (!event.dataTransfer.types.includes(COLUMN)) return
          event.preventDefault()
          setOver(true)
        },
        onDragLeave: () => setOver(false),
        onDrop: (event: DragEvent) => {
          event.preventDefault()
          setOver(false)
          const key = event.dataTransfer.getData(COLUMN)
          if (key && key !== field.key) onPlace(key)
        },
      }
  const sortKey = sortKeyOf(field)
  const down = state.sort === `-${sortKey}`
  const up = state.sort === sortKey
  const [dragged, setDragged] = useState<number>()
  const resize = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault()
    const begin = event.clientX
    let next = width
    const move = (moved: globalThis.PointerEvent) => {
      next = Math.max(60, Math.round(width + moved.clientX - begin))
      setDragged(next)
    }
    const up = () => {
      window.removeEventListener('pointermove', move)
      setDragged(undefined)
      state.set({
        columns: state.columns
          .map((key) => {
            const kept = key === field.key ? next : state.widths[key]
            return kept ? `${key}:${kept}` : key
          })
          .join(','),
      })
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up, { once: true })
  }
  return (
    <div
      {...dragging}
      role="columnheader"
      className={classes.head}
      data-lead={lead || undefined}
      data-over={isOver || undefined}
      style={{ width: dragged ?? width }}
      aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
    >
      {field.sort ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => state.set({ sort: up ? `-${sortKey}` : sortKey })}
        >
          {field.label} <span aria-hidden>{up ? '↑' : down ? '↓' : ''}</span>
        </button>
      ) : (
        field.label
      )}
      <span className={classes.grip} onPointerDown={resize} aria-hidden />
    </div>
  )
}
