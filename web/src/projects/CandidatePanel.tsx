import { ActionIcon, Alert, Anchor, Button, Group, Rating, Tabs, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useGet, useList } from '../api/query'
import type { Entry, ProjectDetail } from '../api/types'
import { errorText } from '../fields/errorText'
import { Cv } from '../record/Cv'
import { Notes } from '../record/Notes'
import { Timeline } from '../record/Timeline'
import { personName, useCan } from '../session'
import { Avatar } from '../shell/Avatar'
import { Tab } from '../shell/icons'
import { Link } from '../shell/Link'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { Loaded } from '../shell/Page'
import { type CandidateActions, placeOf } from './entries'
import classes from './panel.module.css'

type Props = {
  entryId: string
  project: ProjectDetail
  actions: CandidateActions
}

/** One candidate beside the others: CV, notes, source and timeline. */
export function CandidatePanel(props: Props) {
  const entry = useGet(`/pipeline-entries/${props.entryId}`)
  useHotkeys([['Escape', () => props.actions.show(undefined)]])
  return (
    <aside className={classes.panel} aria-label="Candidate">
      <Loaded of={entry}>{(answer) => <Whole key={props.entryId} {...props} entry={answer.data} />}</Loaded>
    </aside>
  )
}

function Whole({ entry, project, actions }: Props & { entry: Entry }) {
  const may = useCan('pipeline:write')
  const reasons = useList('/reasons', { kind: 'rejection' }, { staleTime: 300_000 }).data?.data ?? []
  const stages = project.pipeline.stages
  const nameOf = (id: string) => [...stages, ...reasons].find((one) => one.id === id)?.name
  const drop = () =>
    remove(`/pipeline-entries/${entry.id}`).then(() => {
      refresh('entries', 'projects')
      actions.show(undefined)
      notifyWithUndo(`${personName(entry.contact)} removed from the project`, () =>
        post(`/projects/${project.id}/entries`, placeOf(entry)).then(() => refresh('entries', 'projects')),
      )
    }, notifyError)
  return (
    <>
      <Group wrap="nowrap" gap="sm" mb={4}>
        <Avatar name={personName(entry.contact)} size={36} />
        <Anchor component={Link} to={`/contacts/${entry.contact.id}`} fw={620} size="md" className="cut grow quiet">
          {personName(entry.contact)}
        </Anchor>
        <ActionIcon aria-label="Close panel" onClick={() => actions.show(undefined)}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <Text c="dimmed" mb="xs">
        {[entry.contact.title, entry.contact.current_company, entry.contact.location].filter(Boolean).join(' · ')}
      </Text>
      <Group gap={4} mb="xs" role="group" aria-label="Stage">
        {stages.map((stage) => (
          <Button
            key={stage.id}
            size="compact-xs"
            variant={stage.id === entry.stage_id ? 'light' : 'default'}
            aria-pressed={stage.id === entry.stage_id}
            disabled={!may}
            onClick={() => stage.id !== entry.stage_id && actions.move(entry, stage.id).catch(() => {})}
          >
            {stage.name}
          </Button>
        ))}
      </Group>
      <Group gap="xs" mb="sm">
        <Rating
          aria-label="Rating"
          value={entry.rating ?? 0}
          readOnly={!may}
          onChange={(value) => actions.rate(entry, value || null)}
        />
        {may && (
          <>
            <Button variant="default" onClick={() => actions.reject(entry)}>
              Reject
            </Button>
            <Button variant="subtle" color="gray" onClick={drop}>
              Remove
            </Button>
          </>
        )}
      </Group>
      <About entry={entry} locked={!may} />
      <Tabs defaultValue="cv" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tab value="cv">CV</Tab>
          <Tab value="notes">Notes</Tab>
          <Tab value="history">In this project</Tab>
          <Tab value="timeline">Timeline</Tab>
        </Tabs.List>
        <Tabs.Panel value="cv">
          <Cv contactId={entry.contact.id} />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <Notes path={`/contacts/${entry.contact.id}`} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Timeline path={`/contacts/${entry.contact.id}`} of={{ type: 'entry', id: entry.id }} nameOf={nameOf} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Timeline path={`/contacts/${entry.contact.id}`} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** The notes on a candidate; concurrent changes of others are shown, not lost. */
function About({ entry, locked }: { entry: Entry; locked: boolean }) {
  const kept = entry.notes ?? ''
  const [base, setBase] = useState(kept)
  const [text, setText] = useState(kept)
  const [error, setError] = useState<string>()
  const clash = kept !== base && text !== base && text !== kept
  if (kept !== base && !clash) {
    setBase(kept)
    setText(kept)
  }
  const store = async () => {
    try {
      await put(`/pipeline-entries/${entry.id}`, { notes: text || null })
      setError(undefined)
      await refresh('pipeline-entries', 'entries')
    } catch (refused) {
      setError(errorText(refused))
    }
  }
  return (
    <>
      <Textarea
        aria-label="About this candidate"
        placeholder="About this candidate, for this project"
        autosize
        minRows={1}
        readOnly={locked}
        mb="sm"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text !== kept && !clash && store()}
        error={error}
      />
      {clash && (
        <Alert color="orange" variant="outline" mb="sm" title="Another user changed this meanwhile">
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {kept || 'It is empty now.'}
          </Text>
          <Group gap="xs" mt="xs">
            <Button variant="default" onClick={() => setText(kept)}>
              Use theirs
            </Button>
            <Button variant="default" onClick={store}>
              Keep mine
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}
