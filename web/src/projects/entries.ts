import { useList } from '../api/query'
import type { ProjectDetail, ProjectEntry, Reason } from '../api/types'
import type { Field } from '../fields/spec'
import type { TableState } from '../table/state'

/** The actions on one candidate that board, table and panel share. */
export type Hands = {
  move: (entry: ProjectEntry, to: string) => Promise<void>
  rate: (entry: ProjectEntry, rating: number | null) => void
  reject: (entry: ProjectEntry) => void
  show: (id: string | undefined) => void
}

export const rejectedStage = (project: ProjectDetail) =>
  project.pipeline.stages.find((one) => one.system_category === 'rejected')

/** The values of an entry that are needed to restore it. */
export const placeOf = ({ contact_id, stage_id, rating, notes, rejection_reason_id }: ProjectEntry) => ({
  contact_id,
  stage_id,
  rating,
  notes,
  rejection_reason_id,
})

/** The query of a column of the board. */
export const columnParams = (state: TableState, stage: string) => ({
  ...state.filters,
  stage_id: stage,
  sort: '-updated_at',
  limit: '50',
})

export function useEntryFields(project: ProjectDetail): Field[] {
  const reasons = useList<Reason>('/reasons', { kind: 'rejection' }, { staleTime: 300_000 }).data?.data ?? []
  const stages = project.pipeline.stages
  return [
    { key: 'contact', label: 'Name', type: 'name', width: 200, readonly: true, filter: false },
    {
      key: 'stage_id',
      label: 'Stage',
      type: 'choice',
      width: 140,
      required: true,
      options: stages.map((one) => ({ value: one.id, label: one.name, color: one.color })),
    },
    { key: 'rating', label: 'Rating', type: 'rating', width: 110, sort: true },
    { key: 'contact.title', label: 'Title', type: 'text', width: 220, readonly: true, filter: false },
    { key: 'contact.current_company', label: 'Company', type: 'text', width: 180, readonly: true, filter: false },
    { key: 'contact.location', label: 'Location', type: 'text', width: 150, readonly: true, filter: false },
    { key: 'contact.global_status', label: 'Status', type: 'choice', width: 120, readonly: true, filter: false },
    {
      key: 'rejection_reason_id',
      label: 'Rejected because',
      type: 'choice',
      width: 170,
      options: reasons.map((one) => ({ value: one.id, label: one.name })),
    },
    { key: 'notes', label: 'About', type: 'long', width: 240, filter: false },
    { key: 'created_at', label: 'Added', type: 'time', width: 120, sort: true, readonly: true },
    { key: 'updated_at', label: 'Changed', type: 'time', width: 120, sort: true, readonly: true },
  ]
}
