import { useGet } from '../api/query'
import type { DealWhole } from '../api/types'
import { isText } from '../values'

/** How many seconds a deal has been in each of its stages, by the stage's id. */
export function useStageTimes(deal: DealWhole): Map<string, number> {
  const events =
    useGet(`/deals/${deal.id}/timeline`, {
      types: 'deal.created,deal.moved,deal.closed,deal.reopened',
      limit: '100',
    }).data?.data ?? []
  const times = new Map<string, number>()
  const add = (stage: string, seconds: number) => times.set(stage, (times.get(stage) ?? 0) + seconds)
  for (const { type, changes } of events) {
    const [seconds] = changes.time_in_stage ?? []
    const [from] = changes.stage_id ?? [deal.stage_id]
    if (typeof seconds === 'number' && isText(from) && type !== 'deal.created') add(from, seconds)
  }
  const since = events[0]
  if (deal.status === 'open' && since) add(deal.stage_id, (Date.now() - new Date(since.at).getTime()) / 1000)
  return times
}
