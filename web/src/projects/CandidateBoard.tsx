import { Button, Modal, Select, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { put } from '../api/client'
import { patchRecord, refresh, useList } from '../api/query'
import type { ProjectDetail, ProjectEntry, Reason } from '../api/types'
import { Board, moveCard } from '../board/Board'
import { ago } from '../fields/format'
import { personName, useCan } from '../session'
import { Empty } from '../shell/Page'
import { fail, undoable } from '../shell/tell'
import { CandidatePanel } from './CandidatePanel'
import { Stars } from './Stars'

export type Stage = ProjectDetail['pipeline']['stages'][number]

/** Candidates by stage. On a card: shift and arrows move, 1–5 rate, R rejects, Enter opens the panel. */
export function CandidateBoard({ project }: { project: ProjectDetail }) {
  const may = useCan('pipeline:write')
  const navigate = useNavigate()
  const { entry: openId, ...search } = useSearch({ strict: false }) as { entry?: string }
  const [rejecting, setRejecting] = useState<ProjectEntry>()
  const path = `/projects/${project.id}/entries`
  const stages = project.pipeline.stages
  const paramsOf = (stage: string) => ({ stage_id: stage, sort: '-updated_at', limit: '50' })
  const show = (id: string | undefined) =>
    navigate({ to: '.', search: { ...search, entry: id } as never, replace: true })
  const change = async (entry: ProjectEntry, changes: object, said: string) => {
    const before = { stage_id: entry.stage_id, rating: entry.rating, rejection_reason_id: entry.rejection_reason_id }
    try {
      await put(`/pipeline-entries/${entry.id}`, changes)
      undoable(said, () => put(`/pipeline-entries/${entry.id}`, before).then(() => refresh('entries', 'projects')))
    } catch (error) {
      fail(error)
      throw error
    } finally {
      refresh('entries', 'projects', 'pipeline-entries')
    }
  }
  const move = (entry: ProjectEntry, to: string) => {
    const stage = stages.find((one) => one.id === to)
    return change(entry, { stage_id: to }, `${personName(entry.contact)} moved to ${stage?.name}`)
  }
  const rate = (entry: ProjectEntry, rating: number | null) => {
    const undo = patchRecord(entry.id, { rating })
    put(`/pipeline-entries/${entry.id}`, { rating }).catch((error) => {
      undo()
      fail(error)
    })
  }
  const reject = (entry: ProjectEntry, reason: string | null) => {
    const stage = stages.find((one) => one.system_category === 'rejected')
    if (!stage) return
    moveCard(path, entry, paramsOf(entry.stage_id), paramsOf(stage.id))
    setRejecting(undefined)
    change(
      entry,
      { stage_id: stage.id, ...(reason ? { rejection_reason_id: reason } : {}) },
      `${personName(entry.contact)} rejected`,
    ).catch(() => {})
  }
  if (project.entries_count === 0) {
    return (
      <Empty title="No candidates yet">
        Add people who are in Relata already, or search for new ones. Then move them with Shift and the arrow keys, rate
        them with 1 to 5 and reject with R.
      </Empty>
    )
  }
  return (
    <div style={{ display: 'flex', minHeight: 0, flex: 1 }}>
      <Board<ProjectEntry>
        name={`Candidates of ${project.name}`}
        path={path}
        locked={!may}
        stay
        openId={openId}
        columns={stages.map((stage) => ({
          id: stage.id,
          title: stage.name,
          color: stage.color,
          params: paramsOf(stage.id),
          note: (
            <Text size="xs" c="dimmed" className="num">
              {stage.entries_count}
            </Text>
          ),
        }))}
        label={(entry) => personName(entry.contact)}
        onOpen={(entry) => show(entry.id)}
        onMove={move}
        onKey={(event, entry, focusNext) => {
          if (!may || event.ctrlKey || event.metaKey || event.altKey) return false
          if (/^[1-5]$/.test(event.key)) {
            rate(entry, entry.rating === Number(event.key) ? null : Number(event.key))
            return true
          }
          if (event.key === 'r') {
            focusNext()
            setRejecting(entry)
            return true
          }
          if (event.key === 'Escape' && openId) {
            show(undefined)
            return true
          }
          return false
        }}
        card={(entry) => (
          <>
            <div style={{ fontWeight: 600 }} className="cut">
              {personName(entry.contact)}
            </div>
            <div className="cut dim">
              {[entry.contact.title, entry.contact.current_company].filter(Boolean).join(' · ')}
            </div>
            <div style={{ display: 'flex', alignItems: 'center', marginTop: 2 }}>
              <Stars rating={entry.rating} />
              <span className="grow" />
              <span className="dim num">{ago(entry.updated_at)}</span>
            </div>
          </>
        )}
      />
      {openId && (
        <CandidatePanel
          entryId={openId}
          project={project}
          onClose={() => show(undefined)}
          onReject={setRejecting}
          onMove={move}
          onRate={rate}
        />
      )}
      {rejecting && <RejectDialog entry={rejecting} onClose={() => setRejecting(undefined)} onReject={reject} />}
    </div>
  )
}

type RejectProps = {
  entry: ProjectEntry
  onClose: () => void
  onReject: (entry: ProjectEntry, reason: string | null) => void
}

function RejectDialog({ entry, onClose, onReject }: RejectProps) {
  const reasons = useList<Reason>('/reasons', { kind: 'rejection' }).data?.data ?? []
  const [reason, setReason] = useState<string | null>(null)
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Reject ${personName(entry.contact)}`}
      closeButtonProps={{ 'aria-label': 'Cancel' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onReject(entry, reason)
        }}
      >
        <Stack>
          <Select
            label="Reason"
            data-autofocus
            clearable
            data={reasons.map((one) => ({ value: one.id, label: one.name }))}
            value={reason}
            onChange={setReason}
          />
          <Button type="submit" style={{ alignSelf: 'flex-end' }}>
            Reject
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
