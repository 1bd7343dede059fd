import type { DealPipeline } from '../api/types'
import { type Field, options } from '../fields/spec'

export function dealFields(pipelines: DealPipeline[]): Field[] {
  return [
    { key: 'title', label: 'Title', type: 'text', width: 260, sort: true, required: true },
    {
      key: 'status',
      label: 'Status',
      type: 'choice',
      width: 120,
      readonly: true,
      options: options('open', 'won', 'lost', 'disqualified'),
    },
    {
      key: 'stage_id',
      label: 'Stage',
      type: 'choice',
      width: 150,
      required: true,
      readonly: true,
      options: pipelines.flatMap((pipeline) =>
        pipeline.stages.map((stage) => ({
          value: stage.id,
          label: pipelines.length > 1 ? `${pipeline.name}: ${stage.name}` : stage.name,
          color: stage.color ?? undefined,
        })),
      ),
    },
    { key: 'amount', label: 'Amount', type: 'money', width: 130, sort: true },
    { key: 'expected_amount', label: 'Expected amount', type: 'money', width: 140 },
    { key: 'signed_amount', label: 'Signed amount', type: 'money', width: 130, readonly: true },
    { key: 'currency', label: 'Currency', type: 'text', width: 90, required: true },
    { key: 'probability', label: 'Probability %', type: 'number', width: 110, sort: true },
    { key: 'expected_close_date', label: 'Expected close', type: 'date', width: 130, sort: true },
    { key: 'company_id', label: 'Company', type: 'company', width: 180 },
    { key: 'owner_id', label: 'Owner', type: 'member', width: 150 },
    { key: 'closed_at', label: 'Closed', type: 'time', width: 120, sort: true, readonly: true },
    { key: 'created_at', label: 'Added', type: 'time', width: 120, sort: true, readonly: true },
    { key: 'updated_at', label: 'Changed', type: 'time', width: 120, sort: true, readonly: true },
  ]
}
