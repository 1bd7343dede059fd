import { Button, Group, Menu, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuilding, IconDownload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { address, put, remove } from '../api/client'
import { listOf } from '../api/lists'
import { erase } from '../api/query'
import type { Company } from '../api/types'
import { labelsOf, options, type Row } from '../fields/spec'
import { COMPANY_CHOICES, COMPANY_FIELDS } from '../generated/fields'
import { COMPANY_IS_REMOVED_FROM, EraseDialog, REMOVED_WITH_COMPANY } from '../record/Erase'
import { personName, useCan, useManages, useMembers } from '../session'
import { Link } from '../shell/Link'
import { notify } from '../shell/notices'
import { Empty } from '../shell/Page'
import type { Run } from '../table/BulkBar'
import { eachOf, reversible } from '../table/bulk'
import { ListPage } from '../table/ListPage'
import { QuickAdd } from '../table/QuickAdd'
import { useTableState } from '../table/state'
import { useCompanyFields } from './fields'

const DEFAULTS = {
  columns: [
    'name',
    'domain',
    'industry',
    'location',
    'size_range',
    'contacts_count',
    'deals_count',
    'owner_id',
    'tags',
    'created_at',
  ],
  sort: 'name',
  hideArchived: true,
}

const label = labelsOf(COMPANY_FIELDS)

type CompanyRow = Company & Row

export function Companies() {
  const state = useTableState(DEFAULTS)
  const fields = useCompanyFields()
  const may = useCan('companies:write')
  return (
    <ListPage<CompanyRow>
      title="Companies"
      collection="companies"
      list={listOf('/companies')}
      one="company"
      state={state}
      fields={fields}
      lead="name"
      mark="company"
      archives
      may={may}
      tools={
        <Button
          variant="default"
          component="a"
          href={address('/exports/companies', state.params)}
          download="companies.csv"
          leftSection={<IconDownload size={14} />}
        >
          Export
        </Button>
      }
      actions={(run, _, number) => <CompanyActions run={run} number={number} />}
      empty={(filtered, add) =>
        filtered ? (
          <Empty
            icon={IconBuilding}
            title="No companies match"
            action={<Button onClick={() => state.replace({})}>Show all</Button>}
          />
        ) : (
          <Empty
            icon={IconBuilding}
            title="No companies yet"
            action={
              <Button.Group>
                <Button onClick={add}>Add the first</Button>
                <Button variant="default" component={Link} to="/import">
                  Import a file
                </Button>
              </Button.Group>
            }
          >
            Companies hold the people who work there, their deals and projects.
          </Empty>
        )
      }
    >
      <NewCompany opened={state.all.new === '1'} onClose={() => state.set({ new: undefined })} />
    </ListPage>
  )
}

function CompanyActions({ run, number }: { run: Run<CompanyRow>; number: number }) {
  const { members } = useMembers()
  const write = useCan('companies:write')
  const archive = useCan('companies:delete')
  const manages = useManages()
  const [erasing, dialog] = useDisclosure(false)
  if (!write) return null
  return (
    <>
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default">Owner</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {members.map((one) => (
            <Menu.Item
              key={one.user_id}
              onClick={() => {
                const { work, undo } = reversible<CompanyRow>('companies', { owner_id: one.user_id })
                run(`Owner ${personName(one)}`, work, undo)
              }}
            >
              {personName(one)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {archive && (
        <Button
          variant="default"
          onClick={() =>
            run(
              'Archived',
              (chosen, onProgress) => eachOf(chosen, (row) => remove(`/companies/${row.id}`), onProgress),
              (outcome) => Promise.all(outcome.ids.map((id) => put(`/companies/${id}`, { archived_at: null }))),
            )
          }
        >
          Archive
        </Button>
      )}
      {archive && manages && (
        <Button variant="default" color="red" onClick={dialog.open}>
          Erase…
        </Button>
      )}
      {erasing && (
        <EraseDialog
          title={`Erase ${number === 1 ? '1 company' : `${number} companies`}?`}
          confirmation={`erase ${number}`}
          removed={REMOVED_WITH_COMPANY}
          stays={COMPANY_IS_REMOVED_FROM}
          erase={() => {
            dialog.close()
            return run('Erased', (chosen, onProgress) =>
              eachOf(chosen, (row) => erase('companies', row.id), onProgress),
            )
          }}
          onClose={dialog.close}
        />
      )}
    </>
  )
}

function NewCompany({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <QuickAdd
      title="New company"
      path="/companies"
      opened={opened}
      onClose={onClose}
      onMade={(company) => {
        notify(`${company.name} added`)
        navigate({ to: '/companies/$id', params: { id: company.id } })
      }}
      initial={{ name: '', domain: '', industry: '', location: '', size_range: null }}
    >
      {(form) => (
        <>
          <TextInput label={label('name')} required data-autofocus {...form.text('name')} />
          <TextInput label={label('domain')} placeholder="example.com" {...form.text('domain')} />
          <Group grow gap="sm" align="flex-start">
            <TextInput label={label('industry')} {...form.text('industry')} />
            <TextInput label={label('location')} {...form.text('location')} />
          </Group>
          <Select
            label={label('size_range')}
            clearable
            data={options(...COMPANY_CHOICES.size_range)}
            value={form.choice('size_range')}
            onChange={(value) => form.set('size_range', value)}
          />
        </>
      )}
    </QuickAdd>
  )
}
