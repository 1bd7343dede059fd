import { IconChevronRight } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { count } from '../fields/format'
import classes from './table.module.css'
import type { Line } from './useRows'

type Props = {
  index: number
  style: CSSProperties
  line: Extract<Line<never>, { group: unknown }>
  columns: number
  focused: boolean
  onFocus: () => void
  onToggle: () => void
}

/** The head of a section: the common value and the number of rows; folds them. */
export function GroupRow({ index, style, line, columns, focused, onFocus, onToggle }: Props) {
  const { group, open } = line
  return (
    <div role="row" aria-rowindex={index + 2} className={classes.row} data-group style={style}>
      <div
        role="gridcell"
        aria-colspan={columns}
        className={classes.section}
        data-cell={`${index}-0`}
        tabIndex={focused ? 0 : -1}
        onFocus={onFocus}
      >
        <button type="button" className={classes.lead} tabIndex={-1} aria-expanded={open} onClick={onToggle}>
          <IconChevronRight size={14} className={classes.fold} data-open={open || undefined} aria-hidden />
          {group.color && <span className="chip-dot" style={{ background: group.color }} />}
          {group.label} <span className="dim num">{count(line.count)}</span>
        </button>
      </div>
    </div>
  )
}
