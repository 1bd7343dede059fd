import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Field } from '../fields/spec'
import { isText } from '../values'
import type { TableState } from './state'
import classes from './table.module.css'

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
  const cell = useRef<HTMLDivElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const [over, setOver] = useState(false)
  const place = useRef(onPlace)
  place.current = onPlace
  useEffect(() => {
    const element = cell.current
    if (!element || lead) return
    const undo = [
      draggable({
        element,
        canDrag: ({ input }) => document.elementFromPoint(input.clientX, input.clientY) !== grip.current,
        getInitialData: () => ({ column: field.key }),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => isText(source.data.column) && source.data.column !== field.key,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false)
          if (isText(source.data.column)) place.current(source.data.column)
        },
      }),
    ]
    return () => {
      for (const one of undo) one()
    }
  }, [field.key, lead])
  const sortKey = field.type === 'name' ? 'last_name' : field.key
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
      ref={cell}
      role="columnheader"
      className={classes.head}
      data-lead={lead || undefined}
      data-over={over || undefined}
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
      <span ref={grip} className={classes.grip} onPointerDown={resize} aria-hidden />
    </div>
  )
}
