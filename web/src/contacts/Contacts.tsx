import { Button, Menu } from '@mantine/core'
import { IconDownload, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { address, type Params } from '../api/client'
import { listOf } from '../api/lists'
import type { Contact } from '../api/types'
import type { Row } from '../fields/spec'
import { useCan } from '../session'
import { Link } from '../shell/Link'
import { loadCode } from '../shell/loadCode'
import { Empty } from '../shell/Page'
import { ListPage } from '../table/ListPage'
import { useTableState } from '../table/state'
import { useContactFields } from './fields'
import { NewContact } from './NewContact'

// Needed once a row is selected.
const ContactActions = lazy(async () => ({
  default: (await loadCode(() => import('./ContactActions'))).ContactActions,
}))

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
  const may = useCan('contacts:write')
  return (
    <ListPage<ContactRow>
      title="Contacts"
      collection="contacts"
      list={listOf('/contacts')}
      one="contact"
      state={state}
      fields={fields}
      lead="name"
      mark="person"
      archives
      may={may}
      tools={<Export params={state.params} may={may} />}
      actions={(run, chosen, number) => (
        <Suspense fallback={null}>
          <ContactActions run={run} selected={chosen} number={number} />
        </Suspense>
      )}
      empty={(filtered, add) => <NoContacts filtered={filtered} onClear={() => state.replace({})} onAdd={add} />}
    >
      <NewContact opened={state.all.new === '1'} onClose={() => state.set({ new: undefined })} />
    </ListPage>
  )
}

function Export({ params, may }: { params: Params; may: boolean }) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All records in this view</Menu.Label>
        <Menu.Item component="a" href={address('/exports/contacts', params)} download="contacts.csv">
          CSV file
        </Menu.Item>
        <Menu.Item
          component="a"
          href={address('/exports/contacts', { ...params, format: 'ndjson' })}
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
  )
}

function NoContacts({ filtered, onClear, onAdd }: { filtered: boolean; onClear: () => void; onAdd: () => void }) {
  return filtered ? (
    <Empty icon={IconUsers} title="No contacts match" action={<Button onClick={onClear}>Clear filters</Button>}>
      No contact meets all of these conditions. Loosen one, or look among archived contacts.
    </Empty>
  ) : (
    <Empty
      icon={IconUsers}
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
      Add a contact, import a CSV file, or create contacts through the API.
    </Empty>
  )
}
