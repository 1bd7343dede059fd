import type { Params } from '../api/client'
import type { Deal, DealPipeline } from '../api/types'
import { today } from '../fields/format'

type Stage = DealPipeline['stages'][number]

/** The weight of an amount: the stage's probability. */
export const weightOf = (stage: Stage | undefined) => (stage?.probability ?? 0) / 100

/** A period in which deals are expected to close, and its bounds. */
export type Period = { id: string; title: string; from?: string; to?: string; late?: boolean }

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

/** The first day of the month that is `plus` months from now. */
function monthAt(plus: number): string {
  const [year, month] = today().split('-').map(Number)
  const at = year * 12 + month - 1 + plus
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`
}

/** Overdue, this month and the next eleven, later, and without a date. */
export function periods(): Period[] {
  const months = Array.from({ length: 12 }, (_, plus) => ({
    id: monthAt(plus),
    title: MONTH.format(new Date(`${monthAt(plus)}T12:00:00`)),
    from: plus === 0 ? today() : monthAt(plus),
    to: monthAt(plus + 1),
  }))
  return [
    { id: 'late', title: 'Overdue', to: today(), late: true },
    ...months,
    { id: 'later', title: 'Later', from: monthAt(12) },
    { id: 'none', title: 'No date' },
  ]
}

export function periodOf(deal: Deal, all: Period[]): Period | undefined {
  const date = deal.expected_close_date?.slice(0, 10)
  const fits = ({ from, to }: Period) =>
    date ? (from || to) && (!from || date >= from) && (!to || date < to) : !from && !to
  return all.find(fits)
}

/** The list filters for the deals of a period. */
export function filtersOf({ from, to }: Period): Params {
  if (!from && !to) return { expected_close_date: 'is.null' }
  return { expected_close_date: [...(from ? [`gte.${from}`] : []), ...(to ? [`lt.${to}`] : [])] }
}

export type Sum = { amount: number; weighted: number }

/** Amounts per currency, unweighted and weighted by the stage. */
export function sumOf(deals: Deal[], stages: Map<string, Stage>): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const deal of deals) {
    const sum = sums.get(deal.currency) ?? { amount: 0, weighted: 0 }
    const amount = deal.amount ?? 0
    sums.set(deal.currency, {
      amount: sum.amount + amount,
      weighted: sum.weighted + amount * weightOf(stages.get(deal.stage_id)),
    })
  }
  return sums
}
