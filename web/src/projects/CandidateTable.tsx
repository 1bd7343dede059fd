import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { post, remove } from '../api/client'
import type { ChangeableList } from '../api/lists'
import { refresh } from '../api/query'
import type { ProjectDetail, ProjectEntry } from '../api/types'
import { enrollSelected } from '../contacts/enroll'
import { SequencePicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import type { Field, Row } from '../fields/spec'
import { useCan } from '../session'
import { Empty } from '../shell/Page'
import { BulkBar, type Run } from '../table/BulkBar'
import { createMany, eachOf, type Outcome, reversible } from '../table/bulk'
import { Chooser, TagChooser } from '../table/Choosers'
import { RecordTable } from '../table/RecordTable'
import type { TableState } from '../table/state'
import { useSelection } from '../table/useSelection'
import { type CandidateActions, placeOf, rejectedStage } from './entries'
import { RejectDialog } from './RejectDialog'

type EntryRow = ProjectEntry & Row
type Props = {
  project: ProjectDetail
  state: TableState
  fields: Field[]
  list: ChangeableList<ProjectEntry>
  actions: CandidateActions
}

/** Candidates as a table, for moving many of them at once. */
export function CandidateTable({ project, state, fields, list, actions }: Props) {
  const may = useCan('pipeline:write')
  const selection = useSelection<EntryRow>()
  const [total, setTotal] = useState(0)
  return (
    <div style={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0 }}>
      <RecordTable<EntryRow>
        name={`Candidates of ${project.name}`}
        list={list}
        state={state}
        fields={fields}
        lead="contact"
        mark="person"
        locked={!may}
        selection={selection}
        onTotal={setTotal}
        onOpen={(row) => actions.show(row.id)}
        empty={
          <Empty
            title="No candidates match"
            action={<Button onClick={() => state.replace({ layout: 'table' })}>Show all</Button>}
          />
        }
      />
      <BulkBar
        touches={['entries', 'projects', 'pipeline-entries']}
        list={list}
        state={state}
        selection={selection}
        total={total}
      >
        {(run, number) => may && <Actions project={project} run={run} number={number} />}
      </BulkBar>
    </div>
  )
}

/** Removes candidates from the project; undo restores them with their values. */
function dropping(run: Run<EntryRow>, project: ProjectDetail) {
  const rows = new Map<string, EntryRow>()
  const back = (outcome: Outcome) =>
    createMany(
      'pipeline-entries',
      { rows: outcome.ids.flatMap((id) => rows.get(id) ?? []) },
      (row) => ({ project_id: project.id, ...placeOf(row) }),
      () => {},
    )
  return run(
    'Removed from the project',
    (chosen, onProgress) =>
      eachOf(
        chosen,
        (row) => {
          rows.set(row.id, row)
          return remove(`/pipeline-entries/${row.id}`)
        },
        onProgress,
      ),
    back,
  )
}

function Actions({ project, run, number }: { project: ProjectDetail; run: Run<EntryRow>; number: number }) {
  const enroll = useCan('sequences:write')
  const tag = useCan('contacts:write')
  const [rejecting, setRejecting] = useState(false)
  const rejected = rejectedStage(project)
  const move = (label: string, stage_id: string, rejection_reason_id: string | null = null) => {
    const { work, undo } = reversible<EntryRow>('pipeline-entries', { stage_id, rejection_reason_id })
    return run(label, work, undo)
  }
  return (
    <>
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default">Move to</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {project.pipeline.stages.map((stage) => (
            <Menu.Item
              key={stage.id}
              onClick={() =>
                stage.id === rejected?.id ? setRejecting(true) : move(`Moved to ${stage.name}`, stage.id)
              }
            >
              <Chip value={stage.id} label={stage.name} color={stage.color} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {rejected && (
        <Button variant="default" onClick={() => setRejecting(true)}>
          Reject
        </Button>
      )}
      {enroll && (
        <Chooser
          label="Enroll"
          picker={(onPick) => <SequencePicker onPick={onPick} comboboxProps={{ withinPortal: false }} />}
          onPick={(id) => enrollSelected(run, id, number, (row) => row.contact_id).then(() => refresh('enrollments'))}
        />
      )}
      {tag && (
        <TagChooser
          onAdd={(names) =>
            run('Tagged', (chosen, onProgress) =>
              eachOf(
                chosen,
                async (row) => {
                  for (const name of names) await post(`/contacts/${row.contact_id}/tags`, { name })
                },
                onProgress,
              ),
            )
          }
        />
      )}
      <Button variant="default" onClick={() => dropping(run, project)}>
        Remove
      </Button>
      {rejecting && rejected && (
        <RejectDialog
          who={number === 1 ? 'one candidate' : `${number} candidates`}
          onClose={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            move('Rejected', rejected.id, reason)
          }}
        />
      )}
    </>
  )
}
