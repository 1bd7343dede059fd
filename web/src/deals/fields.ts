import type { DealPipeline } from '../api/types'
import { progressOf } from '../fields/Ring'
import type { Field } from '../fields/spec'
import { changed, DEAL } from '../fields/tables'

/** The fields of a deal. A stage is changed by moving the deal, which also changes the probability. */
export function dealFields(pipelines: DealPipeline[]): Field[] {
  const stages = pipelines.flatMap((pipeline) =>
    pipeline.stages.map((stage) => ({
      value: stage.id,
      label: pipelines.length > 1 ? `${pipeline.name}: ${stage.name}` : stage.name,
      color: stage.color ?? undefined,
      progress: progressOf(pipeline.stages, stage.id),
    })),
  )
  return changed(DEAL, { stage_id: { readonly: true, options: stages } })
}

/** The pipeline, which is a filter of the list and no column. */
export const pipelineField = (pipelines: DealPipeline[]): Field => ({
  key: 'pipeline_id',
  label: 'Pipeline',
  type: 'choice',
  required: true,
  options: pipelines.map((one) => ({ value: one.id, label: one.name })),
})
