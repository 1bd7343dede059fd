import { Alert, Button, Group, Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, post, remove } from '../api/client'
import { refresh, useGet } from '../api/query'
import type { WholeSequence } from '../api/types'
import { Chip } from '../fields/Show'
import { useCan } from '../session'
import { CopyRequest } from '../shell/Copy'
import { Loaded, Page } from '../shell/Page'
import { done, fail } from '../shell/tell'
import { Builder } from './Builder'
import { Enrollments } from './Enrollments'
import { Funnel } from './Funnel'
import { Schedule } from './Schedule'

export function SequencePage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const sequence = useGet<WholeSequence>(`/sequences/${id}`)
  return (
    <Loaded key={id} of={sequence}>
      {() => <Whole sequence={sequence.data?.data as WholeSequence} />}
    </Loaded>
  )
}

function Whole({ sequence }: { sequence: WholeSequence }) {
  const may = useCan('sequences:write')
  const navigate = useNavigate()
  const { open } = useSearch({ strict: false }) as { open?: string }
  const [refused, setRefused] = useState<string[]>()
  const tab = open ?? (sequence.status === 'draft' ? 'steps' : 'results')
  const path = `/sequences/${sequence.id}`
  const again = () => refresh('sequences', 'stats', 'enrollments')
  const start = () => {
    setRefused(undefined)
    post(`${path}/start`).then(
      () => {
        again()
        done('Started')
      },
      (error) => {
        if (error instanceof ApiError && error.status === 400) {
          setRefused(
            error.problems.length ? error.problems.map((one) => `${one.field}: ${one.reason}`) : [error.message],
          )
        } else fail(error)
      },
    )
  }
  const stop = () => post(`${path}/pause`).then(again, fail)
  const copy = () =>
    post<WholeSequence>('/sequences', {
      ...sequence,
      name: `${sequence.name} (copy)`.slice(0, 100),
      status: 'draft',
    }).then(
      (answer) => navigate({ to: '/sequences/$id', params: { id: answer.data.id }, search: { open: 'steps' } }),
      fail,
    )
  const archive = () => {
    if (!window.confirm(`Archive “${sequence.name}” for good? Everybody in it is taken out.`)) return
    remove(path).then(() => {
      again()
      navigate({ to: '/sequences' })
    }, fail)
  }
  return (
    <Page
      title={sequence.name}
      head={<Chip value={sequence.status} />}
      actions={
        <Group gap="xs">
          <CopyRequest path={path} />
          {may && ['draft', 'paused'].includes(sequence.status) && <Button onClick={start}>Start</Button>}
          {may && sequence.status === 'active' && (
            <Button variant="default" onClick={stop}>
              Pause
            </Button>
          )}
          {may && (
            <Button variant="default" onClick={copy}>
              Copy
            </Button>
          )}
          {may && sequence.status !== 'archived' && (
            <Button variant="default" onClick={archive}>
              Archive
            </Button>
          )}
        </Group>
      }
    >
      {sequence.paused_reason && (
        <Alert color="orange" variant="outline" mb="md" title="Paused by the server">
          {sequence.paused_reason}
        </Alert>
      )}
      {refused && (
        <Alert
          color="red"
          variant="outline"
          mb="md"
          title="It can’t start yet"
          withCloseButton
          onClose={() => setRefused(undefined)}
        >
          {refused.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      <Tabs
        value={tab}
        onChange={(next) => navigate({ to: '.', search: { open: next } as never, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="enrollments">Enrollments</Tabs.Tab>
          <Tabs.Tab value="steps">Steps</Tabs.Tab>
          <Tabs.Tab value="schedule">Schedule</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <Funnel sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="enrollments">
          <Enrollments sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="steps">
          <Builder key={`${sequence.status}-${sequence.steps.map((step) => step.id).join()}`} sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="schedule">
          <Schedule key={sequence.updated_at} sequence={sequence} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
