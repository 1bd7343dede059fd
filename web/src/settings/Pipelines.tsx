import { NumberInput } from '@mantine/core'
import { listOf } from '../api/lists'
import type { DealPipeline } from '../api/types'
import { plural } from '../fields/format'
import { type Kind, StageSets } from './StageSets'

const PIPELINES: Kind<DealPipeline['stages'][number], number | string> = {
  noun: 'pipeline',
  list: listOf('/deal-pipelines'),
  sets: '/dashboard/deal-pipelines',
  stages: '/dashboard/deal-stages',
  refreshes: ['deal-pipelines', 'deals'],
  standard: 'New deals go here',
  removed: 'The pipeline and its stages are deleted. A pipeline that has deals is not deleted.',
  note: (stage) => `${stage.probability ?? '–'} %, ${plural(stage.deals_count, 'deal')}`,
  own: (stage) => stage.probability ?? '',
  input: (probability, set) => (
    <NumberInput label="Probability in percent" min={0} max={100} value={probability} onChange={set} />
  ),
  body: (probability) => ({ probability: probability === '' ? null : Number(probability) }),
}

export const Pipelines = () => <StageSets kind={PIPELINES} />
