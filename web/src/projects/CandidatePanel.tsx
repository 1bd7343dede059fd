import { ActionIcon, Anchor, Button, Group, Rating, Select, Tabs, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { put, remove } from '../api/client'
import { refresh, useGet } from '../api/query'
import type { Entry, ProjectDetail, ProjectEntry } from '../api/types'
import { Cv } from '../record/Cv'
import { Notes } from '../record/Notes'
import { Timeline } from '../record/Timeline'
import { personName, useCan } from '../session'
import { Link } from '../shell/Link'
import { Loaded } from '../shell/Page'
import { fail } from '../shell/tell'
import classes from './panel.module.css'

type Props = {
  entryId: string
  project: ProjectDetail
  onClose: () => void
  onReject: (entry: ProjectEntry) => void
  onMove: (entry: ProjectEntry, to: string) => Promise<unknown>
  onRate: (entry: ProjectEntry, rating: number | null) => void
}

/** One candidate beside the board: CV, notes, history. */
export function CandidatePanel(props: Props) {
  const entry = useGet<Entry>(`/pipeline-entries/${props.entryId}`)
  useHotkeys([['Escape', props.onClose]])
  return (
    <aside className={classes.panel} aria-label="Candidate">
      <Loaded of={entry}>{() => <Whole key={props.entryId} {...props} entry={entry.data?.data as Entry} />}</Loaded>
    </aside>
  )
}

function Whole({ entry, project, onClose, onReject, onMove, onRate }: Props & { entry: Entry }) {
  const may = useCan('pipeline:write')
  const [notes, setNotes] = useState(entry.notes ?? '')
  useEffect(() => setNotes(entry.notes ?? ''), [entry.notes])
  const stages = project.pipeline.stages
  const keep = () =>
    notes !== (entry.notes ?? '') &&
    put(`/pipeline-entries/${entry.id}`, { notes: notes || null }).then(() => refresh('pipeline-entries'), fail)
  const drop = () =>
    remove(`/pipeline-entries/${entry.id}`).then(() => {
      refresh('entries', 'projects')
      onClose()
    }, fail)
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Anchor component={Link} to={`/contacts/${entry.contact.id}`} fw={600} size="lg" className="cut">
          {personName(entry.contact)}
        </Anchor>
        <ActionIcon aria-label="Close panel" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <Text c="dimmed" mb="xs">
        {[entry.contact.title, entry.contact.current_company, entry.contact.location].filter(Boolean).join(' · ')}
      </Text>
      <Group gap="xs" mb="sm">
        <Select
          size="xs"
          aria-label="Stage"
          allowDeselect={false}
          disabled={!may}
          data={stages.map((stage) => ({ value: stage.id, label: stage.name }))}
          value={entry.stage_id}
          onChange={(to) => to && to !== entry.stage_id && onMove(entry, to).catch(() => {})}
        />
        <Rating
          aria-label="Rating"
          value={entry.rating ?? 0}
          readOnly={!may}
          onChange={(value) => onRate(entry, value || null)}
        />
        {may && (
          <>
            <Button variant="default" onClick={() => onReject(entry)}>
              Reject
            </Button>
            <Button variant="subtle" color="gray" onClick={drop}>
              Remove
            </Button>
          </>
        )}
      </Group>
      <Textarea
        aria-label="About this candidate"
        placeholder="About this candidate, for this project"
        autosize
        minRows={1}
        readOnly={!may}
        mb="sm"
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
        onBlur={keep}
      />
      <Tabs defaultValue="cv" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="cv">CV</Tabs.Tab>
          <Tabs.Tab value="notes">Notes</Tabs.Tab>
          <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="cv">
          <Cv contactId={entry.contact.id} />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <Notes path={`/contacts/${entry.contact.id}`} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Timeline path={`/contacts/${entry.contact.id}`} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
