import { Button, Menu, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { address } from '../api/client'
import type { Contact } from '../api/types'
import { count } from '../fields/format'
import type { Row } from '../fields/spec'
import { useCan } from '../session'
import { Link } from '../shell/Link'
import { Empty, Page } from '../shell/Page'
import { BulkBar } from '../table/BulkBar'
import { Columns } from '../table/Columns'
import { Filters } from '../table/Filters'
import { RecordTable } from '../table/RecordTable'
import { SearchBox } from '../table/SearchBox'
import { useTableState } from '../table/state'
import { useSelection } from '../table/useSelection'
import { Views } from '../table/Views'
import { ContactActions } from './ContactActions'
import { useContactFields } from './fields'
import { NewContact } from './NewContact'

const DEFAULTS = {
  columns: [
    'name',
    'title',
    'current_company',
    'emails',
    'location',
    'global_status',
    'tags',
    'last_contacted_at',
    'created_at',
  ],
  sort: '-created_at',
  hideArchived: true,
}

type ContactRow = Contact & Row

export function Contacts() {
  const state = useTableState(DEFAULTS)
  const fields = useContactFields()
  const navigate = useNavigate()
  const selection = useSelection<ContactRow>()
  const [total, setTotal] = useState<{ total: number; counted: boolean }>()
  const may = useCan('contacts:write')
  const take = useCallback((value: number, counted: boolean) => setTotal({ total: value, counted }), [])
  const add = () => state.set({ new: '1' })
  useHotkeys([['n', () => may && add()]])
  return (
    <Page
      title="Contacts"
      flush
      head={
        <Text c="dimmed" className="num" data-testid="total">
          {total?.counted ? count(total.total) : ''}
        </Text>
      }
      actions={
        <>
          <Views state={state} collection="contacts" />
          <SearchBox state={state} />
          <Filters state={state} fields={fields} path="/contacts" archives />
          <Columns state={state} fields={fields} lead="name" />
          <Menu>
            <Menu.Target>
              <Button variant="default" leftSection={<IconDownload size={14} />}>
                Export
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>All that this view shows</Menu.Label>
              <Menu.Item component="a" href={address('/exports/contacts', state.params)} download="contacts.csv">
                CSV file
              </Menu.Item>
              <Menu.Item
                component="a"
                href={address('/exports/contacts', { ...state.params, format: 'ndjson' })}
                download="contacts.ndjson"
              >
                NDJSON file
              </Menu.Item>
              {may && (
                <Menu.Item component={Link} to="/import">
                  Import a file…
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
          {may && (
            <Button leftSection={<IconPlus size={14} />} onClick={add}>
              New contact
            </Button>
          )}
        </>
      }
    >
      <RecordTable<ContactRow>
        name="Contacts"
        path="/contacts"
        state={state}
        fields={fields}
        lead="name"
        locked={!may}
        selection={selection}
        onTotal={take}
        companyName={(row) => row.current_company ?? 'Linked'}
        onOpen={(row) => navigate({ to: '/contacts/$id', params: { id: row.id } })}
        empty={
          <NoContacts filtered={Object.keys(state.filters).length > 0} onClear={() => state.replace({})} onAdd={add} />
        }
      />
      <BulkBar touches={['contacts']} path="/contacts" state={state} selection={selection} total={total?.total ?? 0}>
        {(run) => <ContactActions run={run} selected={[...selection.rows.values()]} />}
      </BulkBar>
      <NewContact opened={state.all.new === '1'} onClose={() => state.set({ new: undefined })} />
    </Page>
  )
}

function NoContacts({ filtered, onClear, onAdd }: { filtered: boolean; onClear: () => void; onAdd: () => void }) {
  return filtered ? (
    <Empty title="Nobody fits" action={<Button onClick={onClear}>Show everybody</Button>}>
      No contact meets all of these conditions. Loosen one, or look among archived contacts.
    </Empty>
  ) : (
    <Empty
      title="No contacts yet"
      action={
        <Button.Group>
          <Button onClick={onAdd}>Add the first</Button>
          <Button variant="default" component={Link} to="/import">
            Import a file
          </Button>
        </Button.Group>
      }
    >
      Add somebody by hand, bring in a CSV file, or let a program send them through the API.
    </Empty>
  )
}
