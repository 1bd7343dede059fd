import type { View } from '../api/types'
import type { Field } from '../fields/spec'
import { Columns } from './Columns'
import { Filters } from './Filters'
import { GroupBy } from './GroupBy'
import type { TableState } from './state'
import { Views } from './Views'

type Props = {
  state: TableState
  collection: View['collection']
  fields: Field[]
  /** Fields that can be filtered but are not shown. */
  hidden?: Field[]
  lead: string
  archives?: boolean
  /** Whether there is a table with columns to choose. */
  table?: boolean
}

/** The tools above every list: views and filters, and how its rows are shown. */
export function ListTools({ state, collection, fields, hidden = [], lead, archives, table = true }: Props) {
  return (
    <div className="tools" role="group" aria-label="List tools">
      <Views state={state} collection={collection} />
      <Filters state={state} fields={[...fields, ...hidden]} path={`/${collection}`} archives={archives} />
      <div className="grow" />
      {table && <GroupBy state={state} fields={fields} />}
      {table && <Columns state={state} fields={fields} lead={lead} />}
    </div>
  )
}
