import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import type { ChangeableList } from '../api/lists'
import type { View } from '../api/types'
import { count } from '../fields/format'
import type { Field, Row } from '../fields/spec'
import { Page } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import type { Marked } from './BodyCell'
import { BulkBar, type Run } from './BulkBar'
import { ListTools } from './ListTools'
import { RecordTable } from './RecordTable'
import { SearchBox } from './SearchBox'
import type { TableState } from './state'
import { useSelection } from './useSelection'

type Props<T extends Row> = {
  title: string
  collection: View['collection']
  list: ChangeableList<T>
  /** The kind of record that the button adds: `contact`. */
  one: string
  state: TableState
  fields: Field[]
  hidden?: Field[]
  lead: string
  archives?: boolean
  may: boolean
  /** More tools, between the columns and the button that adds. */
  tools?: ReactNode
  companyName?: (row: T) => string
  mark?: Marked
  /** Actions on many rows; without it rows can't be selected. */
  actions?: (run: Run<T>, chosen: T[], number: number) => ReactNode
  empty: (filtered: boolean, add: () => void) => ReactNode
  children: ReactNode
}

/** A collection as a table: tools above it, bulk actions below it. N adds a record. */
export function ListPage<T extends Row>(props: Props<T>) {
  const { state, collection, fields, lead, may } = props
  const navigate = useNavigate()
  const selection = useSelection<T>()
  const [total, setTotal] = useState<{ total: number; counted: boolean }>()
  const take = useCallback((value: number, counted: boolean) => setTotal({ total: value, counted }), [])
  const add = () => state.set({ new: '1' })
  useKeys([['n', () => may && add()]])
  const path = `/${collection}`
  return (
    <Page
      title={props.title}
      flush
      head={
        <Text c="dimmed" className="num" data-testid="total">
          {total?.counted ? count(total.total) : ''}
        </Text>
      }
      actions={
        <>
          <SearchBox state={state} />
          {props.tools}
          {may && (
            <Button className="not-small" leftSection={<IconPlus size={14} />} onClick={add}>
              New {props.one}
            </Button>
          )}
        </>
      }
    >
      <ListTools
        state={state}
        collection={collection}
        fields={fields}
        hidden={props.hidden}
        lead={lead}
        archives={props.archives}
      />
      <RecordTable<T>
        name={props.title}
        list={props.list}
        state={state}
        fields={fields}
        lead={lead}
        locked={!may}
        selection={props.actions && selection}
        onTotal={take}
        companyName={props.companyName}
        mark={props.mark}
        onOpen={(row) => navigate({ href: `${path}/${row.id}` })}
        empty={props.empty(Object.keys(state.filters).length > 0, add)}
      />
      {props.actions && (
        <BulkBar touches={[collection]} list={props.list} state={state} selection={selection} total={total?.total ?? 0}>
          {(run, number) => props.actions?.(run, [...selection.rows.values()], number)}
        </BulkBar>
      )}
      {props.children}
    </Page>
  )
}
