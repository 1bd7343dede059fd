import { ActionIcon, Alert, Button, Group, Menu, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconMail } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { listOf } from '../api/lists'
import { erase, forgetErased, refresh, useGet } from '../api/query'
import type { Contact } from '../api/types'
import { Compose } from '../compose/Compose'
import { ContactScheduled } from '../compose/Scheduled'
import { Details } from '../fields/Details'
import { ago, money, readable } from '../fields/format'
import { ProjectPicker, SequencePicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import type { Field } from '../fields/spec'
import { Cv } from '../record/Cv'
import { ADDRESSES_STAY_REFUSED, EraseDialog, REMOVED_WITH_CONTACT, SameAddress } from '../record/Erase'
import { Files } from '../record/Files'
import { LoadedRecord } from '../record/LoadedRecord'
import { Notes } from '../record/Notes'
import { RecordTabs } from '../record/RecordTabs'
import { RowLinks } from '../record/RowLinks'
import { RecordTasks } from '../record/Tasks'
import { Timeline } from '../record/Timeline'
import { allows, personName, type Scope, useCan, useManages, useSession } from '../session'
import { Avatar, Named } from '../shell/Avatar'
import { CopyRecord } from '../shell/Copy'
import { Kind } from '../shell/icons'
import { Link } from '../shell/Link'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import { Page } from '../shell/Page'
import { useContactFields } from './fields'

export function ContactPage() {
  const { id } = useParams({ from: '/app/contacts/$id' })
  const contact = useGet(`/contacts/${id}`)
  return (
    <LoadedRecord key={id} of={contact} one="contact" list="/contacts">
      {(answer) => <Whole contact={answer.data} />}
    </LoadedRecord>
  )
}

const GROUPS: [string, string[]][] = [
  ['Contact details', ['emails', 'phones', 'network_profile', 'location']],
  ['Relationship', ['global_status', 'contact_type', 'type', 'tags', 'source', 'do_not_contact']],
  ['Profile', []],
]

/** The fields in groups; those that no group names are in the last one. */
function grouped(fields: Field[]): { title: string; fields: Field[] }[] {
  const named = GROUPS.flatMap(([, keys]) => keys)
  return GROUPS.map(([title, keys]) => ({
    title,
    fields: fields.filter(({ key }) => (keys.length > 0 ? keys.includes(key) : !named.includes(key))),
  }))
}

/** Title, company and place, below the name. */
function Line({ contact }: { contact: Contact }) {
  const company = contact.current_company && <Named name={contact.current_company} company size={18} />
  return (
    <>
      {contact.title && <span>{contact.title}</span>}
      {contact.title && company && <span>at</span>}
      {company &&
        (contact.company_id ? (
          <Link to={`/companies/${contact.company_id}`} className="quiet strong">
            {company}
          </Link>
        ) : (
          company
        ))}
      {contact.location && <span className="dim">{contact.location}</span>}
    </>
  )
}

const SIDE = ['name', 'created_at', 'updated_at', 'last_contacted_at', 'summary']

function Whole({ contact }: { contact: Contact }) {
  const fields = useContactFields()
  const session = useSession()
  const may = useCan('contacts:write')
  const [writing, write] = useDisclosure(false)
  const path = `/contacts/${contact.id}` as const
  const has = (scope: Scope) => allows(session, scope)
  const tabs: [string, string, boolean][] = [
    ['timeline', 'Timeline', true],
    ['notes', 'Notes', has('notes:read')],
    ['tasks', 'Tasks', has('tasks:read')],
    ['conversations', 'Messages', has('messages:read')],
    ['projects', 'Projects', has('pipeline:read')],
    ['deals', 'Deals', has('deals:read')],
    ['sequences', 'Sequences', has('sequences:read')],
    ['cv', 'CV and files', true],
  ]
  const shown = fields.filter((field) => !SIDE.includes(field.key))
  const details = (
    <section className="aside" aria-label="Details">
      {grouped(shown).map(({ title, fields }) => (
        <div key={title} className="aside-group">
          <h2>{title}</h2>
          <Details path="/contacts" row={contact} fields={fields} locked={!may} />
        </div>
      ))}
      <Text size="xs" c="dimmed" mt="sm">
        Added {ago(contact.created_at)}, changed {ago(contact.updated_at)}
        {contact.last_contacted_at ? `, last contacted ${ago(contact.last_contacted_at)}` : ''}
      </Text>
    </section>
  )
  return (
    <Page
      title={personName(contact)}
      mark={<Avatar name={personName(contact)} size={52} />}
      line={<Line contact={contact} />}
      head={
        <Group gap={10}>
          <Chip value={contact.global_status} />
          {contact.do_not_contact && <Chip value="error" label="Do not contact" />}
        </Group>
      }
      actions={
        <>
          {has('messages:write') && (
            <Button leftSection={<IconMail size={14} />} onClick={write.open}>
              Message
            </Button>
          )}
          <More contact={contact} />
        </>
      }
    >
      {contact.archived_at && (
        <Alert variant="outline" color="gray" mb="md" title={`Archived ${ago(contact.archived_at)}`}>
          {may && (
            <Button
              variant="default"
              onClick={() => put(path, { archived_at: null }).then(() => refresh('contacts'), notifyError)}
            >
              Restore
            </Button>
          )}
        </Alert>
      )}
      <RecordTabs tabs={tabs.flatMap(([value, label, on]) => (on ? [[value, label]] : []))} details={details}>
        <Tabs.Panel value="timeline">
          {contact.summary && (
            <Text mb="md" style={{ whiteSpace: 'pre-line' }}>
              {contact.summary}
            </Text>
          )}
          <ContactScheduled contactId={contact.id} />
          <Timeline path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <Notes path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="tasks">
          <RecordTasks on={{ contact_id: contact.id }} />
        </Tabs.Panel>
        <Tabs.Panel value="conversations">
          <ContactScheduled contactId={contact.id} />
          <RowLinks
            list={listOf(`${path}/conversations`)}
            to={(one) => `/inbox?open=${one.id}`}
            empty="No message was sent or received yet."
          >
            {(one) => (
              <>
                <Kind of={one.channel} />
                <span className="grow cut">{one.subject ?? 'No subject'}</span>
                <span className="when dim">{ago(one.last_message_at)}</span>
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="projects">
          <AddToProject contact={contact} />
          <RowLinks
            list={listOf(`${path}/entries`)}
            to={(one) => `/projects/${one.project_id}`}
            empty="Not a candidate in any project."
          >
            {(one) => (
              <>
                <span className="grow cut">{one.project.name}</span>
                <span>{one.stage.name}</span>
                <span className="dim num">{one.rating ? `${one.rating}/5` : ''}</span>
                <span className="dim">{ago(one.updated_at)}</span>
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="deals">
          <RowLinks list={listOf(`${path}/deals`)} to={(one) => `/deals/${one.id}`} empty="Takes part in no deal.">
            {(one) => (
              <>
                <span className="grow cut">{one.title}</span>
                <Chip value={one.status} />
                <span className="num">{money(one.amount, one.currency)}</span>
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="sequences">
          <Enroll contact={contact} />
          <RowLinks
            list={listOf(`${path}/enrollments`)}
            to={(one) => `/sequences/${one.sequence_id}?open=enrollments`}
            empty="Was never enrolled in a sequence."
          >
            {(one) => (
              <>
                <Chip value={one.status} />
                <span className="grow cut dim">{readable(one.reason)}</span>
                <span className="dim">{one.next_step_at ? `next ${ago(one.next_step_at)}` : ago(one.enrolled_at)}</span>
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="cv">
          <Cv contactId={contact.id} />
          <div style={{ height: 24 }} />
          <Files path={path} scope="contacts:write" />
        </Tabs.Panel>
      </RecordTabs>
      <Compose contact={contact} opened={writing} onClose={write.close} />
    </Page>
  )
}

function AddToProject({ contact }: { contact: Contact }) {
  const [project, setProject] = useState<string | null>(null)
  if (!useCan('pipeline:write')) return null
  const add = () =>
    post(`/projects/${project}/entries`, { contact_id: contact.id }).then(() => {
      setProject(null)
      refresh('entries', 'projects', 'timeline')
      notify('Added to the project')
    }, notifyError)
  return (
    <Group gap="xs" mb="sm">
      <ProjectPicker value={project} onPick={setProject} placeholder="Add to a project" />
      <Button variant="default" disabled={!project} onClick={add}>
        Add
      </Button>
    </Group>
  )
}

function Enroll({ contact }: { contact: Contact }) {
  const [sequence, setSequence] = useState<string | null>(null)
  if (!useCan('sequences:write')) return null
  const add = () =>
    post(`/sequences/${sequence}/enroll`, {
      contact_ids: [contact.id],
    }).then((answer) => {
      const [result] = answer.data.results
      refresh('enrollments', 'timeline', 'sequences')
      if (result.outcome === 'enrolled') notify('Enrolled')
      else notifyError(new Error(result.reason ?? result.outcome.replaceAll('_', ' ')))
    }, notifyError)
  return (
    <Group gap="xs" mb="sm">
      <SequencePicker value={sequence} onPick={setSequence} placeholder="Enroll in a sequence" />
      <Button variant="default" disabled={!sequence} onClick={add}>
        Enroll
      </Button>
    </Group>
  )
}

function More({ contact }: { contact: Contact }) {
  const mayArchive = useCan('contacts:delete')
  const mayErase = useManages() && mayArchive
  const navigate = useNavigate()
  const [erasing, dialog] = useDisclosure(false)
  const name = personName(contact)
  const eraseIt = () =>
    erase('contacts', contact.id).then(() => {
      notify(`${name} is erased`)
      navigate({ to: '/contacts' }).then(forgetErased)
      refresh('contacts')
    }, notifyError)
  const mayEnrich = useCan('enrichment:write')
  const path = `/contacts/${contact.id}` as const
  const archive = () =>
    remove(path).then(() => {
      refresh('contacts')
      notifyWithUndo(`${personName(contact)} archived`, () =>
        put(path, { archived_at: null }).then(() => refresh('contacts')),
      )
    }, notifyError)
  const enrich = () =>
    post(`${path}/enrich`, { types: ['email', 'phone'] }).then(() => {
      refresh('enrichment')
      notify('Looking for an email address and a phone number')
    }, notifyError)
  return (
    <>
      {erasing && (
        <EraseDialog
          title={`Erase ${name}?`}
          confirmation={name}
          removed={REMOVED_WITH_CONTACT}
          stays={ADDRESSES_STAY_REFUSED}
          erase={eraseIt}
          onClose={dialog.close}
        >
          <SameAddress contact={contact} />
        </EraseDialog>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label="More actions" size="md">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayEnrich && <Menu.Item onClick={enrich}>Find email and phone</Menu.Item>}
          <CopyRecord path={path} />
          <Menu.Item onClick={() => navigator.clipboard.writeText(contact.id).then(() => notify('Copied'))}>
            Copy id
          </Menu.Item>
          {mayArchive && !contact.archived_at && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={archive}>Archive</Menu.Item>
            </>
          )}
          {mayErase && (
            <Menu.Item color="red" onClick={dialog.open}>
              Erase…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
