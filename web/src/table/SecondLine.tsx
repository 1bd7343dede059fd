import { Fragment } from 'react'
import { Show } from '../fields/Show'
import { type Field, memberOf, type Row } from '../fields/spec'
import { isEmpty } from './BodyCell'

/** A row on a phone has room for so many values below its name. */
const MOST = 2

type Props = { row: Row; columns: Field[]; companyName?: string }

/** The first columns that have a value, in one line. */
export function SecondLine({ row, columns, companyName }: Props) {
  const shown = columns.filter((field) => field.show || !isEmpty(memberOf(row, field.key))).slice(0, MOST)
  return shown.map((field, index) => (
    <Fragment key={field.key}>
      {index > 0 && <span aria-hidden>·</span>}
      <span className="cut">
        <Show row={row} field={field} companyName={companyName} />
      </span>
    </Fragment>
  ))
}
