import { ActionIcon, Button, Group, Menu, SegmentedControl, Text, Timeline } from '@mantine/core'
import { IconDots, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useGet, usePages } from '../api/query'
import type { Enrollment, WholeSequence } from '../api/types'
import { ago, capital, full, readable } from '../fields/format'
import { ContactPicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import { humanize } from '../fields/spec'
import { ENROLLMENT_CHOICES } from '../generated/fields'
import { personName, useCan } from '../session'
import { Link } from '../shell/Link'
import { Modal } from '../shell/Modal'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty, Loaded } from '../shell/Page'
import { ResolveUnknown } from './ResolveUnknown'
import { RetryFailed } from './RetryFailed'
import classes from './sequences.module.css'
import { UpgradeEnrollments } from './UpgradeEnrollments'

const STATES = ['all', ...ENROLLMENT_CHOICES.status]

/** The contacts in a sequence, with their step and status. */
export function Enrollments({ sequence }: { sequence: WholeSequence }) {
  const may = useCan('sequences:write')
  const [state, setState] = useState('all')
  const [chosen, setChosen] = useState<string | null>(null)
  const [explained, setExplained] = useState<Enrollment>()
  const path = `/sequences/${sequence.id}/enrollments` as const
  const list = usePages(path, state === 'all' ? { limit: '50' } : { limit: '50', status: state })
  const all = list.data?.pages.flatMap((page) => page.data) ?? []
  const again = () => refresh('enrollments', 'stats', 'sequences')
  const enroll = () =>
    post(`/sequences/${sequence.id}/enroll`, { contact_ids: chosen ? [chosen] : [] }).then(({ data }) => {
      setChosen(null)
      again()
      const [result] = data.results
      if (result.outcome === 'enrolled') notify('Enrolled')
      else notifyError(new Error(result.reason ?? humanize(result.outcome)))
    }, notifyError)
  return (
    <Card
      title="Enrolled"
      flush
      actions={
        may &&
        ['active', 'paused'].includes(sequence.status) && (
          <Group gap="xs" wrap="nowrap">
            <ContactPicker value={chosen} onPick={setChosen} placeholder="Enroll a contact" />
            <Button disabled={!chosen} onClick={enroll}>
              Enroll
            </Button>
          </Group>
        )
      }
    >
      <div style={{ padding: '8px 12px', overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          aria-label="State"
          data={STATES.map((value) => ({ value, label: humanize(value) }))}
          value={state}
          onChange={setState}
        />
        {may && (
          <>
            <div className={classes.offers}>
              {all.some((one) => one.reason === 'outcome_unknown') && (
                <ResolveUnknown of={{ sequence_id: sequence.id }} compact />
              )}
              {sequence.status !== 'archived' && <RetryFailed sequenceId={sequence.id} />}
            </div>
            <UpgradeEnrollments sequence={sequence} />
          </>
        )}
      </div>
      <Loaded of={list}>
        {() =>
          all.length === 0 ? (
            <Empty icon={IconUsers} title="Nobody is enrolled">
              Enroll people here, from the contacts table, or from their own pages.
            </Empty>
          ) : (
            <>
              {all.map((one) => (
                <Line
                  key={one.id}
                  enrollment={one}
                  sequence={sequence}
                  may={may}
                  onExplain={() => setExplained(one)}
                  onChange={again}
                />
              ))}
              {list.hasNextPage && (
                <Button m="sm" variant="default" onClick={() => list.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </>
          )
        }
      </Loaded>
      {explained && <Explain enrollment={explained} onClose={() => setExplained(undefined)} />}
    </Card>
  )
}

type LineProps = {
  enrollment: Enrollment
  sequence: WholeSequence
  may: boolean
  onExplain: () => void
  onChange: () => void
}

function Line({ enrollment, sequence, may, onExplain, onChange }: LineProps) {
  const contact = useGet(`/contacts/${enrollment.contact_id}`, undefined, { staleTime: 300_000 }).data?.data
  const step = sequence.steps.findIndex((one) => one.id === enrollment.current_step_id)
  const path = `/enrollments/${enrollment.id}` as const
  const act = (what: Promise<unknown>) => what.then(onChange, notifyError)
  const unknown = enrollment.reason?.startsWith('outcome_unknown')
  const isOpen = ['active', 'paused'].includes(enrollment.status)
  const isBehind = isOpen && enrollment.sequence_version < sequence.version
  return (
    <div className="row-link">
      <Link to={`/contacts/${enrollment.contact_id}`} className="cut" style={{ minWidth: 140, fontWeight: 600 }}>
        {personName(contact) || '…'}
      </Link>
      <Chip value={enrollment.status} />
      <span className="grow cut dim">{capital(readable(enrollment.reason))}</span>
      {isBehind && (
        <span className="dim" title={`The steps are now at version ${sequence.version}`}>
          Version {enrollment.sequence_version}
        </span>
      )}
      <span className="dim not-small">{step >= 0 ? `Step ${step + 1}` : ''}</span>
      <span className="dim not-small" title={full(enrollment.next_step_at)}>
        {enrollment.next_step_at ? `Next ${ago(enrollment.next_step_at)}` : ''}
      </span>
      {may && enrollment.status === 'failed' && sequence.status !== 'archived' && (
        <Button size="compact-xs" variant="default" onClick={() => act(post(`${path}/retry`))}>
          Try again
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={onExplain}>
        Why?
      </Button>
      {may && (
        <Menu>
          <Menu.Target>
            <ActionIcon size="sm" aria-label={`Actions for ${personName(contact)}`}>
              <IconDots size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {enrollment.status === 'active' && <Menu.Item onClick={() => act(post(`${path}/pause`))}>Pause</Menu.Item>}
            {enrollment.status === 'paused' && !unknown && (
              <Menu.Item onClick={() => act(post(`${path}/resume`))}>Resume</Menu.Item>
            )}
            {enrollment.status === 'paused' && unknown && (
              <>
                <Menu.Item onClick={() => act(post(`${path}/resume`, { sent: true }))}>It arrived: continue</Menu.Item>
                <Menu.Item onClick={() => act(post(`${path}/resume`, { sent: false }))}>
                  It did not arrive: send it again
                </Menu.Item>
              </>
            )}
            {isOpen && (
              <Menu.Item
                onClick={() =>
                  act(post(`/sequences/${sequence.id}/unenroll`, { contact_ids: [enrollment.contact_id] }))
                }
              >
                Unenroll
              </Menu.Item>
            )}
            <Menu.Item component={Link} to={`/contacts/${enrollment.contact_id}`}>
              Open contact
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

function Explain({ enrollment, onClose }: { enrollment: Enrollment; onClose: () => void }) {
  const explanation = useGet(`/enrollments/${enrollment.id}/explain`)
  return (
    <Modal opened onClose={onClose} title="What happens next, and why">
      <Loaded of={explanation}>
        {({ data: explanation }) => {
          return (
            <>
              <Text mb="md">{explanation.summary}</Text>
              {explanation.blocked && (
                <Text mb="md" c="red">
                  {explanation.blocked}
                </Text>
              )}
              <Timeline bulletSize={12} lineWidth={2} active={explanation.rules.length}>
                {explanation.rules.map((rule, index) => (
                  <Timeline.Item key={index} title={humanize(rule.rule)}>
                    <Text size="sm">{rule.reason}</Text>
                    <Text size="xs" c="dimmed">
                      {full(rule.at)}
                    </Text>
                  </Timeline.Item>
                ))}
              </Timeline>
            </>
          )
        }}
      </Loaded>
    </Modal>
  )
}
