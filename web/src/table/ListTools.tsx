import type { Field } from '../fields/spec'
import { Columns } from './Columns'
import { Filters } from './Filters'
import { GroupBy } from './GroupBy'
import { SearchBox } from './SearchBox'
import type { TableState } from './state'
import { Views } from './Views'

type Props = {
  state: TableState
  collection: string
  fields: Field[]
  /** Fields that are filtered by and not shown. */
  hidden?: Field[]
  lead: string
  archives?: boolean
  /** Whether rows are shown, with columns to choose. */
  table?: boolean
}

/** What stands above every list: views, search, filters, and how the rows are shown. */
export function ListTools({ state, collection, fields, hidden = [], lead, archives, table = true }: Props) {
  return (
    <>
      <Views state={state} collection={collection} />
      <SearchBox state={state} />
      <Filters state={state} fields={[...fields, ...hidden]} path={`/${collection}`} archives={archives} />
      {table && <GroupBy state={state} fields={fields} />}
      {table && <Columns state={state} fields={fields} lead={lead} />}
    </>
  )
}
