import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { post, put } from '../api/client'
import { listOf } from '../api/lists'
import { refresh, useList, usePagesOf } from '../api/query'
import type { Deal, DealPipeline } from '../api/types'
import { Board } from '../board/Board'
import classes from '../board/board.module.css'
import type { Target } from '../board/Targets'
import { money } from '../fields/format'
import { progressOf } from '../fields/Ring'
import { useCan, useSession } from '../session'
import { notifyError, notifyWithUndo } from '../shell/notices'
import type { TableState } from '../table/state'
import { CloseDeal, type Ending } from './CloseDeal'
import { DealCard } from './DealCard'
import { type Sum, sumOf, weightOf } from './sums'

type Stage = DealPipeline['stages'][number]

const TARGETS: Target[] = [
  { id: 'won', title: 'Won', progress: 'reached', color: 'var(--r-ok)' },
  { id: 'lost', title: 'Lost', progress: 'given up', color: 'var(--r-danger)' },
]

/** So many pages are read without being asked for. */
const MOST_PAGES = 5

/** The keys that close a deal. */
const ENDS: Record<string, Ending> = { w: 'won', l: 'lost' }

/** The names of companies and the next tasks of deals, each with one request for all cards. */
function useBeside() {
  const mayRead = useCan('tasks:read')
  const companies = useList('/companies', { limit: '100', count: 'none', sort: '-updated_at' }, { staleTime: 60_000 })
    .data?.data
  const tasks = useList(mayRead ? '/tasks' : null, {
    status: 'todo',
    deal_id: 'is.not_null',
    sort: 'due_date',
    limit: '100',
    count: 'none',
  }).data
  return {
    isKnown: companies !== undefined,
    companyOf: (deal: Deal) => companies?.find((one) => one.id === deal.company_id)?.name,
    taskOf: (deal: Deal) =>
      tasks?.data.find((one) => one.deal_id === deal.id) ?? (tasks?.meta.has_more === false ? null : undefined),
  }
}

/** Open deals by stage. On a card: shift and arrows move, W and L close, Enter opens. */
export function DealBoard({ pipeline, state }: { pipeline: DealPipeline; state: TableState }) {
  const navigate = useNavigate()
  const may = useCan('deals:write')
  const [closing, setClosing] = useState<{ deal: Deal; as?: Ending }>()
  const { pipeline_id: _, stage_id: __, ...rest } = state.filters
  const isFiltered = Object.keys(rest).length > 0
  const isByAmount = /^-?amount$/.test(state.sort)
  const { currency: own } = useSession().workspace
  // Amounts of different currencies can't be compared: each has its own order, that of the workspace first.
  const byCurrency = (all: Deal[]) => {
    const rank = ({ currency }: Deal) => (currency === own ? '' : currency)
    return [...all].sort((one, other) => rank(one).localeCompare(rank(other)))
  }
  const list = listOf('/deals')
  const params = {
    status: 'open',
    archived_at: 'is.null',
    sort: state.sort,
    limit: '100',
    ...rest,
    pipeline_id: pipeline.id,
  }
  const deals = usePagesOf(list, params)
  const read = deals.data?.pages.flatMap((page) => page.data) ?? []
  // A column whose deals are all further back would look empty.
  const isMissing = pipeline.stages.some(
    ({ id, deals_count }) => (isFiltered || deals_count > 0) && !read.some((deal) => deal.stage_id === id),
  )
  const pages = deals.data?.pages.length ?? 0
  const { fetchNextPage } = deals
  const needsMore = deals.hasNextPage && !deals.isFetching && isMissing && pages < MOST_PAGES
  useEffect(() => {
    if (needsMore) fetchNextPage()
  }, [needsMore, fetchNextPage])
  const beside = useBeside()
  const move = async (deal: Deal, to: string) => {
    try {
      await put(`/deals/${deal.id}/stage`, { stage_id: to })
      const name = pipeline.stages.find((stage) => stage.id === to)?.name
      notifyWithUndo(
        `“${deal.title}” moved to ${name}`,
        () => put(`/deals/${deal.id}/stage`, { stage_id: deal.stage_id }).then(() => refresh('deals')),
        deal.id,
      )
    } catch (error) {
      notifyError(error)
      throw error
    } finally {
      refresh('deal-pipelines')
    }
  }
  const add = (stage: Stage) => (title: string) =>
    post('/deals', { title, pipeline_id: pipeline.id, stage_id: stage.id }).then(() =>
      refresh('deals', 'deal-pipelines'),
    )
  /** The number of deals and their sums. The stage has those of all deals, so with filters the deals are counted. */
  const sumsOf = (stage: Stage) => {
    if (!isFiltered) {
      const sums = stage.deals_amount.map(({ amount, currency }): [string, Sum] => [
        currency,
        { amount, weighted: amount * weightOf(stage) },
      ])
      return { count: stage.deals_count, sums: new Map(sums) }
    }
    if (!deals.data || deals.hasNextPage) return undefined
    const inside = read.filter((deal) => deal.stage_id === stage.id)
    return { count: inside.length, sums: sumOf(inside, new Map([[stage.id, stage]])) }
  }
  return (
    <>
      <Board<Deal>
        name={`Deals in ${pipeline.name}`}
        list={list}
        locked={!may}
        columnOf={(deal) => deal.stage_id}
        order={isByAmount ? byCurrency : undefined}
        targets={TARGETS}
        onTarget={(deal, target) => setClosing({ deal, as: target === 'lost' ? 'lost' : 'won' })}
        columns={pipeline.stages.map((stage) => {
          const known = sumsOf(stage)
          return {
            id: stage.id,
            title: stage.name,
            color: stage.color,
            progress: progressOf(pipeline.stages, stage.id),
            params,
            count: known?.count,
            quick: {
              what: `deal in ${stage.name}`,
              field: 'title',
              draft: `/deals ${stage.id}`,
              add: add(stage),
            },
            note: known && <span className="dim num">{known.count}</span>,
            sums: known && <Sums sums={known.sums} />,
          }
        })}
        label={(deal) => deal.title}
        onOpen={(deal) => navigate({ to: '/deals/$id', params: { id: deal.id } })}
        onMove={move}
        onKey={(event, deal) => {
          const as = ENDS[event.key]
          if (!as || !may || event.ctrlKey || event.metaKey || event.altKey) return false
          setClosing({ deal, as })
          return true
        }}
        card={(deal) => (
          <DealCard
            deal={deal}
            company={beside.isKnown ? beside.companyOf(deal) : ''}
            task={beside.taskOf(deal)}
            onClose={may ? () => setClosing({ deal }) : undefined}
          />
        )}
      />
      {closing && <CloseDeal deal={closing.deal} as={closing.as} onClose={() => setClosing(undefined)} />}
    </>
  )
}

/** One total for each currency, the largest first, with the weighted one beside it. */
function Sums({ sums }: { sums: Map<string, Sum> }) {
  const all = [...sums].sort(([, a], [, b]) => b.amount - a.amount)
  const joined = (of: keyof Sum) => all.map(([currency, sum]) => money(Math.round(sum[of]), currency)).join(' + ')
  if (all.length === 0) return null
  return (
    <div className={classes.sums}>
      <span className="num strong">{joined('amount')}</span>
      <Text span size="xs" c="dimmed" className="num">
        Weighted {joined('weighted')}
      </Text>
    </div>
  )
}
