import { ActionIcon, Button, Group, Menu, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { post, put } from '../api/client'
import { refresh, useGet } from '../api/query'
import type { Contact, ProjectDetail } from '../api/types'
import { NewContact } from '../contacts/NewContact'
import { Details } from '../fields/Details'
import { ago, count } from '../fields/format'
import { ContactPicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import { PROJECT } from '../fields/tables'
import { Files } from '../record/Files'
import { Notes } from '../record/Notes'
import { RecordTasks } from '../record/Tasks'
import { Timeline } from '../record/Timeline'
import { personName, useCan } from '../session'
import { Named } from '../shell/Avatar'
import { CopyRecord } from '../shell/Copy'
import { Tab } from '../shell/icons'
import { Link } from '../shell/Link'
import { Modal } from '../shell/Modal'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import { Card, Loaded, Page } from '../shell/Page'
import { Candidates } from './Candidates'
import { CloneProject } from './CloneProject'
import { ProjectSequences } from './ProjectSequences'

export function ProjectPage() {
  const { id } = useParams({ from: '/app/projects/$id' })
  const project = useGet(`/projects/${id}`)
  return (
    <Loaded key={id} of={project}>
      {(answer) => <Whole project={answer.data} />}
    </Loaded>
  )
}

function Whole({ project }: { project: ProjectDetail }) {
  const may = useCan('projects:write')
  const mayAdd = useCan('pipeline:write') && project.status === 'active'
  const navigate = useNavigate()
  const { open = 'candidates' } = useSearch({ from: '__root__' })
  const [adding, add] = useDisclosure(false)
  const [cloning, clone] = useDisclosure(false)
  const path = `/projects/${project.id}` as const
  const changeStatus = (status: ProjectDetail['status']) =>
    put(path, { status }).then(() => {
      refresh('projects')
      notifyWithUndo(status === 'archived' ? 'Project archived' : 'Project reopened', () =>
        put(path, { status: project.status }).then(() => refresh('projects')),
      )
    }, notifyError)
  return (
    <Page
      title={project.name}
      flush
      head={
        <Group gap="sm">
          <Chip value={project.status} />
          {project.client_company && (
            <Link to={`/companies/${project.client_company.id}`} className="quiet cut">
              <Named name={project.client_company.name} company size={18} />
            </Link>
          )}
          <Text c="dimmed" className="num">
            {count(project.entries_count)} candidates
          </Text>
        </Group>
      }
      actions={
        <>
          {mayAdd && (
            <Menu>
              <Menu.Target>
                <Button leftSection={<IconPlus size={14} />}>Add candidates</Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={add.open}>Existing contact…</Menu.Item>
                <Menu.Item component={Link} to={`/sourcing?project_id=${project.id}`}>
                  Search for people…
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
          <Menu>
            <Menu.Target>
              <ActionIcon aria-label="More actions">
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {may && <Menu.Item onClick={clone.open}>Clone…</Menu.Item>}
              {may && (
                <Menu.Item onClick={() => changeStatus(project.status === 'active' ? 'archived' : 'active')}>
                  {project.status === 'active' ? 'Archive' : 'Reopen'}
                </Menu.Item>
              )}
              <CopyRecord path={path} />
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      <Tabs
        value={open}
        onChange={(next) =>
          navigate({
            to: '.',
            search: { open: next === 'candidates' ? undefined : (next ?? undefined) },
            replace: true,
          })
        }
        className="page-tabs"
      >
        <Tabs.List>
          <Tab value="candidates">Candidates</Tab>
          <Tab value="about">About</Tab>
          <Tab value="timeline">Timeline</Tab>
        </Tabs.List>
      </Tabs>
      {open === 'candidates' ? (
        <Candidates project={project} />
      ) : open === 'timeline' ? (
        <div className="page-body">
          <div className="narrow">
            <Timeline path={path} />
          </div>
        </div>
      ) : (
        <div className="page-body">
          <div className="two">
            <div style={{ display: 'grid', gap: 16 }}>
              <Card title="Notes">
                <Notes path={path} />
              </Card>
              <Card title="Tasks">
                <RecordTasks on={{ project_id: project.id }} />
              </Card>
              <Card>
                <Files path={path} scope="projects:write" />
              </Card>
            </div>
            <div className="aside">
              <Card title="Details">
                <Details
                  path="/projects"
                  row={project}
                  fields={PROJECT.filter(
                    (field) => !['status', 'entries_count', 'created_at', 'updated_at'].includes(field.key),
                  )}
                  locked={!may}
                />
                <Text size="xs" c="dimmed" mt="sm">
                  Owners: {project.owners.map(personName).join(', ') || 'nobody'}. Added {ago(project.created_at)}.
                </Text>
              </Card>
              <ProjectSequences project={project} />
            </div>
          </div>
        </div>
      )}
      <CloneProject key={project.id} project={project} opened={cloning} onClose={clone.close} />
      <AddCandidate project={project} opened={adding} onClose={add.close} />
    </Page>
  )
}

function AddCandidate({ project, opened, onClose }: { project: ProjectDetail; opened: boolean; onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [making, setMaking] = useState(false)
  const put = (id: string) =>
    post(`/projects/${project.id}/entries`, { contact_id: id }).then(() => {
      setChosen(null)
      refresh('entries', 'projects')
      notify('Candidate added')
    }, notifyError)
  return (
    <>
      <Modal opened={opened && !making} onClose={onClose} title="Add a candidate">
        <ContactPicker label="Contact" size="sm" value={chosen} onPick={setChosen} data-autofocus />
        <Group justify="space-between" mt="md">
          <Button variant="default" onClick={() => setMaking(true)}>
            New contact…
          </Button>
          <Button disabled={!chosen} onClick={() => chosen && put(chosen)}>
            Add to project
          </Button>
        </Group>
      </Modal>
      <NewContact opened={making} onClose={() => setMaking(false)} onMade={(contact: Contact) => put(contact.id)} />
    </>
  )
}
