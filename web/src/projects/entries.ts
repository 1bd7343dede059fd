import { useList } from '../api/query'
import type { ProjectDetail, ProjectEntry } from '../api/types'
import { progressOf } from '../fields/Ring'
import type { Field } from '../fields/spec'
import { CONTACT, changed, ENTRY, field } from '../fields/tables'
import type { TableState } from '../table/state'

/** The actions on one candidate that board, table and panel share. */
export type CandidateActions = {
  move: (entry: ProjectEntry, to: string) => Promise<void>
  rate: (entry: ProjectEntry, rating: number | null) => void
  /** Asks for the reason; `next` moves the focus on once the candidate is rejected. */
  reject: (entry: ProjectEntry, next?: () => void) => void
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
  sort: state.sort,
  limit: '50',
})

const NAME: Field = { key: 'contact', label: 'Name', type: 'name', width: 200, readonly: true, filter: false }

const CANDIDATE = ['title', 'current_company', 'location', 'global_status'].map((key) =>
  field(CONTACT, key, { key: `contact.${key}`, readonly: true, filter: false, sort: false }),
)

export function useEntryFields(project: ProjectDetail): Field[] {
  const reasons = useList('/reasons', { kind: 'rejection' }, { staleTime: 300_000 }).data?.data ?? []
  const stages = project.pipeline.stages
  const own = changed(ENTRY, {
    stage_id: {
      options: stages.map((one) => ({
        value: one.id,
        label: one.name,
        color: one.color,
        progress: progressOf(stages, one.id),
      })),
    },
    rejection_reason_id: { options: reasons.map((one) => ({ value: one.id, label: one.name })) },
  })
  // The members of the candidate follow the rating.
  return [NAME, ...own.flatMap((one) => (one.key === 'rating' ? [one, ...CANDIDATE] : [one]))]
}
