import { ActionIcon, Alert, Button, Menu, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { put, remove } from '../api/client'
import { listOf } from '../api/lists'
import { erase, forgetErased, refresh, useGet } from '../api/query'
import type { Company } from '../api/types'
import { NewContact } from '../contacts/NewContact'
import { NewDeal } from '../deals/NewDeal'
import { Details } from '../fields/Details'
import { ago, money } from '../fields/format'
import { Chip } from '../fields/Show'
import { COMPANY_IS_REMOVED_FROM, EraseDialog, REMOVED_WITH_COMPANY } from '../record/Erase'
import { LoadedRecord } from '../record/LoadedRecord'
import { Notes } from '../record/Notes'
import { RecordTabs } from '../record/RecordTabs'
import { RowLinks } from '../record/RowLinks'
import { RecordTasks } from '../record/Tasks'
import { Timeline } from '../record/Timeline'
import { personName, useCan, useManages } from '../session'
import { Avatar, Named } from '../shell/Avatar'
import { CopyRecord } from '../shell/Copy'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import { Card, Page } from '../shell/Page'
import { useCompanyFields } from './fields'

export function CompanyPage() {
  const { id } = useParams({ from: '/app/companies/$id' })
  const company = useGet(`/companies/${id}`)
  return (
    <LoadedRecord key={id} of={company} one="company" list="/companies">
      {(answer) => <Whole company={answer.data} />}
    </LoadedRecord>
  )
}

function Whole({ company }: { company: Company }) {
  const fields = useCompanyFields()
  const may = useCan('companies:write')
  const mayArchive = useCan('companies:delete')
  const mayErase = useManages() && mayArchive
  const [erasing, dialog] = useDisclosure(false)
  const navigate = useNavigate()
  const [adding, setAdding] = useState<'contact' | 'deal'>()
  const path = `/companies/${company.id}` as const
  const eraseIt = () =>
    erase('companies', company.id).then(() => {
      notify(`${company.name} is erased`)
      navigate({ to: '/companies' }).then(forgetErased)
      refresh('companies')
    }, notifyError)
  const archive = () =>
    remove(path).then(() => {
      refresh('companies')
      notifyWithUndo(`${company.name} archived`, () =>
        put(path, { archived_at: null }).then(() => refresh('companies')),
      )
    }, notifyError)
  const tabs: [string, string][] = [
    ['people', `People ${company.contacts_count || ''}`],
    ['deals', `Deals ${company.deals_count || ''}`],
    ['projects', 'Projects'],
    ['notes', 'Notes'],
    ['tasks', 'Tasks'],
    ['timeline', 'Timeline'],
  ]
  const details = (
    <div className="aside">
      <Card title="Details">
        <Details
          path="/companies"
          row={company}
          fields={fields.filter(
            (field) => !['created_at', 'updated_at', 'contacts_count', 'deals_count'].includes(field.key),
          )}
          locked={!may}
        />
        <Text size="xs" c="dimmed" mt="sm">
          Added {ago(company.created_at)}, changed {ago(company.updated_at)}
        </Text>
      </Card>
    </div>
  )
  return (
    <Page
      title={company.name}
      mark={<Avatar name={company.name} company size={52} />}
      line={[company.domain, company.industry].filter(Boolean).join(' · ')}
      actions={
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label="More actions">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <CopyRecord path={path} />
            {mayArchive && !company.archived_at && <Menu.Item onClick={archive}>Archive</Menu.Item>}
            {mayErase && (
              <Menu.Item color="red" onClick={dialog.open}>
                Erase…
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      }
    >
      {erasing && (
        <EraseDialog
          title={`Erase ${company.name}?`}
          confirmation={company.name}
          removed={REMOVED_WITH_COMPANY}
          stays={COMPANY_IS_REMOVED_FROM}
          erase={eraseIt}
          onClose={dialog.close}
        />
      )}
      {company.archived_at && (
        <Alert variant="outline" color="gray" mb="md" title={`Archived ${ago(company.archived_at)}`}>
          <Button
            variant="default"
            onClick={() => put(path, { archived_at: null }).then(() => refresh('companies'), notifyError)}
          >
            Restore
          </Button>
        </Alert>
      )}
      <RecordTabs tabs={tabs} details={details}>
        <Tabs.Panel value="people">
          <Button variant="default" mb="sm" onClick={() => setAdding('contact')}>
            Add a person
          </Button>
          <RowLinks
            list={listOf(`${path}/contacts`)}
            params={{ archived_at: 'is.null', limit: '100' }}
            to={(one) => `/contacts/${one.id}`}
            empty="No contacts yet."
          >
            {(one) => (
              <>
                <span className="strong">
                  <Named name={personName(one)} />
                </span>
                <span className="grow cut dim">{one.title}</span>
                <Chip value={one.global_status} />
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="deals">
          <Button variant="default" mb="sm" onClick={() => setAdding('deal')}>
            Add a deal
          </Button>
          <RowLinks list={listOf(`${path}/deals`)} to={(one) => `/deals/${one.id}`} empty="No deals with this company.">
            {(one) => (
              <>
                <span className="grow cut">{one.title}</span>
                <Chip value={one.status} />
                <span className="num">{money(one.amount, one.currency)}</span>
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="projects">
          <RowLinks
            list={listOf(`${path}/projects`)}
            to={(one) => `/projects/${one.id}`}
            empty="No projects for this company."
          >
            {(one) => (
              <>
                <span className="grow cut">{one.name}</span>
                <Chip value={one.status} />
                <span className="dim num">{one.entries_count} candidates</span>
              </>
            )}
          </RowLinks>
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <Notes path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="tasks">
          <RecordTasks on={{ company_id: company.id }} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Timeline path={path} />
        </Tabs.Panel>
      </RecordTabs>
      <NewContact
        opened={adding === 'contact'}
        onClose={() => setAdding(undefined)}
        companyId={company.id}
        onMade={() => refresh('companies', 'contacts')}
      />
      <NewDeal opened={adding === 'deal'} onClose={() => setAdding(undefined)} initial={{ company_id: company.id }} />
    </Page>
  )
}
