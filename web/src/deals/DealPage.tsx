import { ActionIcon, Alert, Anchor, Button, Group, Menu, Tabs, Text } from '@mantine/core'
import { IconDots, IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useGet } from '../api/query'
import type { DealWhole } from '../api/types'
import { Details } from '../fields/Details'
import { ago, lasted, money } from '../fields/format'
import { ContactPicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import { Notes } from '../record/Notes'
import { RecordTabs } from '../record/RecordTabs'
import { RecordTasks } from '../record/Tasks'
import { Timeline } from '../record/Timeline'
import { personName, useCan } from '../session'
import { CopyRecord } from '../shell/Copy'
import { Link } from '../shell/Link'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { Card, Loaded, Page } from '../shell/Page'
import { CloseDeal } from './CloseDeal'
import { dealFields } from './fields'
import { useStageTimes } from './stageTimes'

const TABS: [string, string][] = [
  ['notes', 'Notes'],
  ['tasks', 'Tasks'],
  ['timeline', 'Timeline'],
]

export function DealPage() {
  const { id } = useParams({ from: '/app/deals/$id' })
  const deal = useGet(`/deals/${id}`)
  return (
    <Loaded key={id} of={deal}>
      {(answer) => <Whole deal={answer.data} />}
    </Loaded>
  )
}

function Whole({ deal }: { deal: DealWhole }) {
  const may = useCan('deals:write')
  const mayArchive = useCan('deals:delete')
  const [closing, setClosing] = useState(false)
  const pipeline = useGet(`/deal-pipelines/${deal.pipeline_id}`).data?.data
  const times = useStageTimes(deal)
  const path = `/deals/${deal.id}` as const
  const again = () => refresh('deals', 'deal-pipelines', 'timeline')
  const archive = () =>
    remove(path).then(() => {
      again()
      notifyWithUndo(`“${deal.title}” archived`, () => put(path, { archived_at: null }).then(again))
    }, notifyError)
  const move = (stage: string) => put(`${path}/stage`, { stage_id: stage }).then(again, notifyError)
  const fields = dealFields(pipeline ? [pipeline] : [])
  const details = (
    <div className="aside">
      <Card title="Details">
        <Details
          path="/deals"
          row={deal}
          fields={fields.filter(
            (field) => !['title', 'status', 'stage_id', 'created_at', 'updated_at'].includes(field.key),
          )}
          locked={!may}
        />
        <Text size="xs" c="dimmed" mt="sm">
          Added {ago(deal.created_at)}, changed {ago(deal.updated_at)}
        </Text>
      </Card>
      <People deal={deal} may={may} onChange={again} />
    </div>
  )
  return (
    <Page
      title={deal.title}
      head={
        <Group gap="sm">
          <Chip value={deal.status} />
          <Text fw={600} className="num">
            {money(deal.status === 'won' ? deal.signed_amount : deal.amount, deal.currency)}
          </Text>
        </Group>
      }
      actions={
        <>
          {may && deal.status === 'open' && !deal.archived_at && (
            <Button onClick={() => setClosing(true)}>Close deal</Button>
          )}
          {may && deal.status !== 'open' && !deal.archived_at && (
            <Button variant="default" onClick={() => post(`${path}/reopen`).then(again, notifyError)}>
              Reopen
            </Button>
          )}
          <Menu>
            <Menu.Target>
              <ActionIcon aria-label="More actions">
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <CopyRecord path={path} />
              {mayArchive && !deal.archived_at && <Menu.Item onClick={archive}>Archive</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {deal.archived_at && (
        <Alert variant="outline" color="gray" mb="md" title={`Archived ${ago(deal.archived_at)}`}>
          <Button variant="default" onClick={() => put(path, { archived_at: null }).then(again, notifyError)}>
            Restore
          </Button>
        </Alert>
      )}
      {pipeline && (
        <Group gap={4} mb="md" role="group" aria-label="Stage">
          {pipeline.stages.map((stage) => (
            <Button
              key={stage.id}
              variant={stage.id === deal.stage_id ? 'light' : 'default'}
              aria-pressed={stage.id === deal.stage_id}
              disabled={!may || deal.status !== 'open' || Boolean(deal.archived_at)}
              onClick={() => move(stage.id)}
            >
              {stage.name}
              {times.has(stage.id) && (
                <Text span size="xs" ml={6} className="num" title="Time in this stage">
                  {lasted(times.get(stage.id) ?? 0)}
                </Text>
              )}
            </Button>
          ))}
        </Group>
      )}
      <RecordTabs tabs={TABS} details={details}>
        <Tabs.Panel value="notes">
          <Notes path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="tasks">
          <RecordTasks on={{ deal_id: deal.id }} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Timeline path={path} />
        </Tabs.Panel>
      </RecordTabs>
      {closing && <CloseDeal deal={deal} onClose={() => setClosing(false)} />}
    </Page>
  )
}

function People({ deal, may, onChange }: { deal: DealWhole; may: boolean; onChange: () => void }) {
  const path = `/deals/${deal.id}/contacts` as const
  return (
    <Card title="People" flush>
      {deal.contacts.map((one) => (
        <div key={one.id} className="row-link">
          <Anchor component={Link} to={`/contacts/${one.id}`} className="cut">
            {personName(one)}
          </Anchor>
          <span className="grow cut dim">{one.title}</span>
          {may && (
            <ActionIcon
              size="sm"
              aria-label={`Take ${personName(one)} off this deal`}
              onClick={() => remove(`${path}/${one.id}`).then(onChange, notifyError)}
            >
              <IconX size={14} />
            </ActionIcon>
          )}
        </div>
      ))}
      {may && (
        <div style={{ padding: 10 }}>
          <ContactPicker
            key={deal.contacts.length}
            placeholder="Add a person"
            onPick={(id) => id && post(path, { contact_id: id }).then(onChange, notifyError)}
          />
        </div>
      )}
    </Card>
  )
}
