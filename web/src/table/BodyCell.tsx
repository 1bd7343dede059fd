import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { Editor } from '../fields/Editor'
import { Show } from '../fields/Show'
import { type Field, memberOf, type Row } from '../fields/spec'
import { nameOf } from '../session'
import { Avatar, Named } from '../shell/Avatar'
import { textOf } from '../values'
import classes from './table.module.css'

export type Marked = 'person' | 'company'

type Props = {
  row?: Row
  field: Field
  place: string
  /** Without it the cell is as wide as the table. */
  width?: number
  lead: boolean
  focused: boolean
  editing: boolean
  /** Why the typed value was refused. */
  problem?: string
  /** Why a bulk action skipped the row. */
  refused?: string
  companyName?: string
  /** The kind of mark before the name of the record. */
  mark?: Marked
  /** The second line of a row on a phone. */
  second?: ReactNode
  onFocus: () => void
  onEdit: () => void
  onOpen: () => void
  onDone: (value: unknown) => void
  onCancel: () => void
}

export const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

type LeadProps = Pick<Props, 'field' | 'mark' | 'second'> & { row: Row; shown: ReactNode }

/** The name of the record with its mark, and on a phone a second line below it. */
function Lead({ row, field, mark, second, shown }: LeadProps) {
  const value = memberOf(row, field.key)
  const name = field.type === 'name' ? nameOf(value ?? row) : textOf(value) || ''
  const isCompany = mark === 'company'
  if (second === undefined) return mark ? <Named name={name} company={isCompany} /> : shown
  return (
    <>
      {mark && <Avatar name={name} company={isCompany} size={36} />}
      <span className="grow">
        <span className={classes.first}>{mark ? name : shown}</span>
        <span className={classes.second}>{second}</span>
      </span>
    </>
  )
}

export function BodyCell(props: Props) {
  const { row, field } = props
  if (!row) {
    return (
      <div
        role="gridcell"
        className={classes.cell}
        style={{ width: props.width }}
        data-cell={props.place}
        data-lead={props.lead || undefined}
        tabIndex={-1}
      >
        <span className={classes.ghost} />
      </div>
    )
  }
  const value = memberOf(row, field.key)
  const shown = <Show row={row} field={field} companyName={props.companyName} />
  const wrong = props.problem ?? props.refused
  const cell = (
    <div
      role="gridcell"
      className={classes.cell}
      style={{ width: props.width }}
      data-cell={props.place}
      data-key={field.key}
      data-lead={props.lead || undefined}
      data-problem={wrong ? true : undefined}
      data-number={field.type === 'number' || field.type === 'money' || undefined}
      aria-invalid={props.problem ? true : undefined}
      aria-description={props.refused}
      tabIndex={props.focused ? 0 : -1}
      onFocus={props.editing ? undefined : props.onFocus}
      onDoubleClick={props.lead ? undefined : props.onEdit}
    >
      {props.editing ? (
        <div className={classes.editor}>
          <Editor field={field} value={value} onDone={props.onDone} onCancel={props.onCancel} />
        </div>
      ) : props.lead ? (
        <button type="button" className={classes.lead} tabIndex={-1} onClick={props.onOpen}>
          <Lead {...props} row={row} shown={shown} />
        </button>
      ) : isEmpty(value) && !field.show ? (
        <span className="dim" aria-hidden>
          —
        </span>
      ) : (
        <span className="cut">{shown}</span>
      )}
    </div>
  )
  return wrong ? (
    <Tooltip label={wrong} opened={props.problem ? true : undefined} multiline maw={320} color="red" withinPortal>
      {cell}
    </Tooltip>
  ) : (
    cell
  )
}
