import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { IconBriefcase } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { listOf } from '../api/lists'
import { useList } from '../api/query'
import type { Project } from '../api/types'
import { days } from '../fields/format'
import { CompanyPicker } from '../fields/Pickers'
import { type Field, labelsOf, type Row } from '../fields/spec'
import { PROJECT } from '../fields/tables'
import { PROJECT_FIELDS } from '../generated/fields'
import { nameOf, useCan } from '../session'
import { notify } from '../shell/notices'
import { Empty } from '../shell/Page'
import { ListPage } from '../table/ListPage'
import { QuickAdd } from '../table/QuickAdd'
import { useTableState } from '../table/state'
import { isText, recordsOf } from '../values'
import { StageCounts } from './StageCounts'

const label = labelsOf(PROJECT_FIELDS)

type ProjectRow = Project & Row

const COMPOSED: Field[] = [
  {
    key: 'stages',
    label: 'By stage',
    type: 'text',
    width: 420,
    readonly: true,
    filter: false,
    show: (row) => <StageCounts id={row.id} />,
  },
  {
    key: 'owners',
    label: 'Owners',
    type: 'text',
    width: 160,
    readonly: true,
    filter: false,
    show: (row) => recordsOf(row.owners).map(nameOf).join(', '),
  },
  {
    key: 'age',
    label: 'Age',
    type: 'text',
    width: 90,
    readonly: true,
    filter: false,
    show: (row) => isText(row.created_at) && days(row.created_at),
  },
]

/** The composed columns stand after the number of candidates. */
const PROJECT_COLUMNS = PROJECT.flatMap((one) => (one.key === 'entries_count' ? [one, ...COMPOSED] : [one]))

const OWNER: Field = { key: 'owner_id', label: 'Owner', type: 'member', readonly: true }

const DEFAULTS = {
  columns: [
    'name',
    'status',
    'client_company_id',
    'age',
    'entries_count',
    'stages',
    'owners',
    'location',
    'updated_at',
  ],
  sort: '-created_at',
  hideArchived: false,
}

export function Projects() {
  const state = useTableState(DEFAULTS)
  const may = useCan('projects:write')
  return (
    <ListPage<ProjectRow>
      title="Projects"
      collection="projects"
      list={listOf('/projects')}
      one="project"
      state={state}
      fields={PROJECT_COLUMNS}
      hidden={[OWNER]}
      lead="name"
      may={may}
      companyName={(row) => row.client_company?.name ?? ''}
      empty={(filtered, add) =>
        filtered ? (
          <Empty
            icon={IconBriefcase}
            title="No projects match"
            action={<Button onClick={() => state.replace({})}>Show all</Button>}
          />
        ) : (
          <Empty icon={IconBriefcase} title="No projects yet" action={<Button onClick={add}>Start the first</Button>}>
            A project is a position to fill: candidates move through its stages.
          </Empty>
        )
      }
    >
      <NewProject opened={state.all.new === '1'} onClose={() => state.set({ new: undefined })} />
    </ListPage>
  )
}

function NewProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const templates = useList(opened ? '/project-templates' : null).data?.data ?? []
  return (
    <QuickAdd
      title="New project"
      path="/projects"
      opened={opened}
      onClose={onClose}
      onMade={(project) => {
        notify(`Project “${project.name}” started`)
        navigate({ to: '/projects/$id', params: { id: project.id } })
      }}
      initial={{ name: '', client_company_id: null, location: '', description: '', template_id: null }}
    >
      {(form) => (
        <>
          <TextInput
            label={label('name')}
            required
            data-autofocus
            placeholder="Head of Finance"
            {...form.text('name')}
          />
          <CompanyPicker
            label={label('client_company_id')}
            size="sm"
            value={form.choice('client_company_id')}
            onPick={(id) => form.set('client_company_id', id)}
          />
          <Group grow gap="sm" align="flex-start">
            <TextInput label={label('location')} {...form.text('location')} />
            <Select
              label="Stages"
              clearable
              placeholder={templates.find((one) => one.is_default)?.name}
              data={templates.map((one) => ({ value: one.id, label: one.name }))}
              value={form.choice('template_id')}
              onChange={(id) => form.set('template_id', id)}
            />
          </Group>
          <Textarea label={label('description')} autosize minRows={2} {...form.text('description')} />
        </>
      )}
    </QuickAdd>
  )
}
