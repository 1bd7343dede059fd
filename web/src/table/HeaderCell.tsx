import { type PointerEvent, useState } from 'react'
import type { Field } from '../fields/spec'
import type { TableState } from './state'
import classes from './table.module.css'

/** The head of a column: sorts, and can be resized by dragging. */
export function HeaderCell({ field, state, width }: { field: Field; state: TableState; width: number }) {
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
      role="columnheader"
      className={classes.head}
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
