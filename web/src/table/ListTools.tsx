import type { View } from '../api/types'
import type { Field } from '../fields/spec'
import { useIsPhone } from '../shell/Page'
import { Columns } from './Columns'
import { FilterChips } from './FilterChips'
import { Filters } from './Filters'
import { GroupBy } from './GroupBy'
import { SortBy } from './SortBy'
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
  const isPhone = useIsPhone()
  const all = [...fields, ...hidden]
  const chips = <FilterChips state={state} fields={all} />
  const filters = <Filters state={state} fields={all} path={`/${collection}`} archives={archives} />
  return (
    <>
      <Views state={state} collection={collection} />
      <div className="tools" role="group" aria-label="List tools">
        {/* The chips are behind the button: its panel must not move while filters are added. */}
        {filters}
        {chips}
        {isPhone ? (
          table && <GroupBy state={state} fields={fields} />
        ) : (
          <>
            <div className="grow" />
            <SortBy state={state} fields={fields} />
            {table && <GroupBy state={state} fields={fields} />}
            {table && <Columns state={state} fields={fields} lead={lead} />}
          </>
        )}
      </div>
    </>
  )
}
