import { Alert, Button, Group, Tabs, Text } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError, post, remove } from '../api/client'
import type { DataOf } from '../api/paths'
import { cached, refresh, useGet } from '../api/query'
import type { WholeSequence } from '../api/types'
import { capital, plural } from '../fields/format'
import { Chip } from '../fields/Show'
import { useCan } from '../session'
import { ask } from '../shell/ask'
import { CopyRequest } from '../shell/Copy'
import { Tab } from '../shell/icons'
import { notify, notifyError } from '../shell/notices'
import { Loaded, Page } from '../shell/Page'
import { Builder } from './Builder'
import { Enrollments } from './Enrollments'
import { Funnel } from './Funnel'
import { Schedule } from './Schedule'
import { inWords, withNames } from './steps'

export function SequencePage() {
  const { id } = useParams({ from: '/app/sequences/$id' })
  const sequence = useGet(`/sequences/${id}`)
  return (
    <Loaded key={id} of={sequence}>
      {(answer) => <Whole sequence={answer.data} />}
    </Loaded>
  )
}

function Whole({ sequence }: { sequence: WholeSequence }) {
  const may = useCan('sequences:write')
  const navigate = useNavigate()
  const { open } = useSearch({ from: '__root__' })
  const [refused, setRefused] = useState<string[]>()
  const [warnings, setWarnings] = useState<Warnings>([])
  const tab = open ?? (sequence.status === 'draft' ? 'steps' : 'results')
  const path = `/sequences/${sequence.id}` as const
  const again = () => refresh('sequences', 'stats', 'enrollments')
  const [starting, setStarting] = useState(false)
  const unsaved = useRef<(() => Promise<unknown>) | null>(null)
  // The steps are reloaded when another user has changed them, but unsaved changes are never replaced.
  const stepsKey = useRef('')
  if (!unsaved.current) stepsKey.current = `${sequence.status}-${sequence.steps.map((step) => step.id).join()}`
  const start = async () => {
    setRefused(undefined)
    setWarnings([])
    setStarting(true)
    try {
      // The tab itself shows why it was not saved.
      const isSaved = await (unsaved.current?.() ?? Promise.resolve()).then(
        () => true,
        () => false,
      )
      if (!isSaved) return
      const { data } = await post(`${path}/start`)
      setWarnings(data.warnings)
      again()
      notify('Started')
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) {
        const { steps } = cached(path)?.data ?? sequence
        setRefused(error.problems.length ? error.problems.map((one) => inWords(steps, one)) : [error.message])
      } else notifyError(error)
    } finally {
      setStarting(false)
    }
  }
  const paused = reasonOf(sequence)
  const openSteps = () => navigate({ to: '.', search: { open: 'steps' }, replace: true })
  const stop = () => post(`${path}/pause`).then(again, notifyError)
  const copy = () =>
    post('/sequences', {
      ...sequence,
      name: `${sequence.name} (copy)`.slice(0, 100),
      status: 'draft',
    }).then(
      (answer) => navigate({ to: '/sequences/$id', params: { id: answer.data.id }, search: { open: 'steps' } }),
      notifyError,
    )
  const archive = async () => {
    const isSure = await ask({
      title: `Archive “${sequence.name}”?`,
      text: 'It can’t be started again, and all contacts in it are unenrolled.',
      action: 'Archive sequence',
      danger: true,
    })
    if (!isSure) return
    remove(path).then(() => {
      again()
      navigate({ to: '/sequences' })
    }, notifyError)
  }
  return (
    <Page
      title={sequence.name}
      head={<Chip value={sequence.status} />}
      actions={
        <Group gap="xs">
          <CopyRequest path={path} />
          {may && ['draft', 'paused'].includes(sequence.status) && (
            <Button loading={starting} onClick={start}>
              Start
            </Button>
          )}
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
      {paused && (
        <Alert color="orange" variant="outline" mb="md" title="Paused by the server">
          <Text size="sm">{paused.text}</Text>
          {paused.step !== undefined && may && (
            <Group mt="xs" gap="sm">
              <Text size="sm">Change the step, then start the sequence again: it continues where it was paused.</Text>
              {tab !== 'steps' && (
                <Button size="compact-xs" variant="default" onClick={openSteps}>
                  Open the step
                </Button>
              )}
            </Group>
          )}
        </Alert>
      )}
      {refused && (
        <Alert
          color="red"
          variant="outline"
          mb="md"
          title="It can’t start yet"
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setRefused(undefined)}
        >
          {refused.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert
          ref={scrollTo}
          color="orange"
          variant="outline"
          mb="md"
          title={`Started, with ${plural(warnings.length, 'warning')}`}
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setWarnings([])}
        >
          {warnings.map((one) => (
            <div key={one.code} style={{ marginBottom: 4 }}>
              <Text size="sm">{capital(withNames(sequence.steps, one.message))}.</Text>
              <Text size="sm" c="dimmed">
                {capital(one.fix)}.
              </Text>
            </div>
          ))}
        </Alert>
      )}
      <Tabs
        value={tab}
        onChange={(next) => navigate({ to: '.', search: { open: next ?? undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tab value="results">Results</Tab>
          <Tab value="enrollments">Enrollments</Tab>
          <Tab value="steps">Steps</Tab>
          <Tab value="schedule">Schedule</Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <Funnel sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="enrollments">
          <Enrollments sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="steps">
          <Builder
            key={stepsKey.current}
            sequence={sequence}
            unsaved={unsaved}
            first={paused?.step}
            onSaved={() => setRefused(undefined)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="schedule">
          <Schedule sequence={sequence} unsaved={unsaved} onSaved={() => setRefused(undefined)} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** Shows what may be above the visible part of the page. */
const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

type Warnings = DataOf<`/sequences/${string}/start`, 'post'>['warnings']

/** The server's reason for the pause, and the step that it names. */
function reasonOf(sequence: WholeSequence): { text: string; step?: number } | undefined {
  const reason = sequence.paused_reason
  if (!reason) return undefined
  const parts = reason.split(/; (?=steps\.\d+\.)/).map((part) => /^(steps\.(\d+)\.[\w.]+): (.*)$/s.exec(part))
  if (parts.some((part) => !part)) return { text: reason }
  const text = parts.map((part) => inWords(sequence.steps, { field: part?.[1] ?? '', reason: part?.[3] ?? '' }))
  return { text: text.join('; '), step: Number(parts[0]?.[2]) }
}
