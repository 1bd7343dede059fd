import { SegmentedControl } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { put } from '../api/client'
import { listOf } from '../api/lists'
import { patchRecord, refresh } from '../api/query'
import type { ProjectDetail, ProjectEntry } from '../api/types'
import { personName } from '../session'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { Empty, useIsPhone } from '../shell/Page'
import { Columns } from '../table/Columns'
import { FilterChips } from '../table/FilterChips'
import { Filters } from '../table/Filters'
import { GroupBy } from '../table/GroupBy'
import { SortBy } from '../table/SortBy'
import { useTableState } from '../table/state'
import { CandidateBoard } from './CandidateBoard'
import { CandidatePanel } from './CandidatePanel'
import { CandidateTable } from './CandidateTable'
import { type CandidateActions, rejectedStage, useEntryFields } from './entries'
import { RejectDialog } from './RejectDialog'

const DEFAULTS = {
  columns: ['contact', 'stage_id', 'rating', 'contact.title', 'contact.current_company', 'updated_at', 'created_at'],
  sort: '-updated_at',
  hideArchived: false,
}

/** The candidates of a project as a board or a table, with the open one beside them. */
export function Candidates({ project }: { project: ProjectDetail }) {
  const state = useTableState(DEFAULTS)
  const fields = useEntryFields(project)
  const [rejecting, setRejecting] = useState<{ entry: ProjectEntry; next?: () => void }>()
  // The focus moves on when the dialog is gone, which would take it otherwise.
  const afterwards = useRef<() => void>(undefined)
  useEffect(() => {
    if (rejecting) return
    afterwards.current?.()
    afterwards.current = undefined
  }, [rejecting])
  const list = listOf(`/projects/${project.id}/entries`)
  const table = state.all.layout === 'table'
  const openId = state.all.entry
  const change = async (entry: ProjectEntry, changes: object, said: string) => {
    const before = { stage_id: entry.stage_id, rating: entry.rating, rejection_reason_id: entry.rejection_reason_id }
    try {
      await put(`/pipeline-entries/${entry.id}`, changes)
      notifyWithUndo(said, () =>
        put(`/pipeline-entries/${entry.id}`, before).then(() => refresh('entries', 'projects')),
      )
    } catch (error) {
      notifyError(error)
      throw error
    } finally {
      refresh('entries', 'projects', 'pipeline-entries')
    }
  }
  const actions: CandidateActions = {
    show: (entry) => state.set({ entry }),
    reject: (entry, next) => setRejecting({ entry, next }),
    move: (entry, to) => {
      const stage = project.pipeline.stages.find((one) => one.id === to)
      return change(entry, { stage_id: to }, `${personName(entry.contact)} moved to ${stage?.name}`)
    },
    rate: (entry, rating) => {
      const undo = patchRecord(entry.id, { rating })
      put(`/pipeline-entries/${entry.id}`, { rating }).catch((error) => {
        undo()
        notifyError(error)
      })
    },
  }
  const reject = (reason: string | null) => {
    const stage = rejectedStage(project)
    if (!stage || !rejecting) return
    const { entry, next } = rejecting
    setRejecting(undefined)
    afterwards.current = next
    change(
      entry,
      { stage_id: stage.id, ...(reason ? { rejection_reason_id: reason } : {}) },
      `${personName(entry.contact)} rejected`,
    ).catch(() => {})
  }
  const isPhone = useIsPhone()
  const filters = <Filters state={state} fields={fields} path={list.path} />
  if (project.entries_count === 0) {
    return (
      <Empty icon={IconUsers} title="No candidates yet">
        Add people who are in Relata already, or search for new ones. Then move them with Shift and the arrow keys, rate
        them with 1 to 5 and reject with R.
      </Empty>
    )
  }
  return (
    <>
      <div className="tools">
        <SegmentedControl
          size="xs"
          aria-label="Layout"
          data={[
            { value: 'board', label: 'Board' },
            { value: 'table', label: 'Table' },
          ]}
          value={table ? 'table' : 'board'}
          onChange={(layout) => state.set({ layout: layout === 'table' ? layout : undefined })}
        />
        {isPhone && filters}
        <FilterChips state={state} fields={fields} />
        {!isPhone && filters}
        <div className="grow" />
        {!isPhone && <SortBy state={state} fields={fields} />}
        {table && <GroupBy state={state} fields={fields} />}
        {table && !isPhone && <Columns state={state} fields={fields} lead="contact" />}
      </div>
      <div style={{ display: 'flex', minHeight: 0, flex: 1 }}>
        {table ? (
          <CandidateTable project={project} state={state} fields={fields} list={list} actions={actions} />
        ) : (
          <CandidateBoard project={project} state={state} list={list} openId={openId} actions={actions} />
        )}
        {openId && <CandidatePanel entryId={openId} project={project} actions={actions} />}
      </div>
      {rejecting && (
        <RejectDialog
          who={personName(rejecting.entry.contact)}
          onClose={() => setRejecting(undefined)}
          onReject={reject}
        />
      )}
    </>
  )
}
