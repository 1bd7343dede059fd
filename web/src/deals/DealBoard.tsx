import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Params, put } from '../api/client'
import { listOf } from '../api/lists'
import { refresh, useGet } from '../api/query'
import type { Deal, DealPipeline } from '../api/types'
import { Board } from '../board/Board'
import classes from '../board/board.module.css'
import { day, money, today } from '../fields/format'
import { progressOf } from '../fields/Ring'
import { useCan, useMembers } from '../session'
import { Named } from '../shell/Avatar'
import { fail, undoable } from '../shell/tell'
import { CloseDeal } from './CloseDeal'
import { weightOf } from './sums'

/** A card is marked after so many days without a change, and more strongly after the second number. */
const QUIET = 14
const ROTTEN = 30

export function DealBoard({ pipeline, filters }: { pipeline: DealPipeline; filters: Params }) {
  const navigate = useNavigate()
  const may = useCan('deals:write')
  const [closing, setClosing] = useState<Deal>()
  const { pipeline_id: _, stage_id: __, ...rest } = filters
  const filtered = Object.keys(rest).length > 0
  const asked = { status: 'open', archived_at: 'is.null', sort: '-updated_at', limit: '30', ...rest }
  const move = async (deal: Deal, to: string) => {
    try {
      await put(`/deals/${deal.id}/stage`, { stage_id: to })
      const name = pipeline.stages.find((stage) => stage.id === to)?.name
      undoable(`“${deal.title}” moved to ${name}`, () =>
        put(`/deals/${deal.id}/stage`, { stage_id: deal.stage_id }).then(() => refresh('deals')),
      )
    } catch (error) {
      fail(error)
      throw error
    } finally {
      refresh('deal-pipelines')
    }
  }
  return (
    <>
      <Board<Deal>
        name={`Deals in ${pipeline.name}`}
        list={listOf('/deals')}
        locked={!may}
        columns={pipeline.stages.map((stage) => ({
          id: stage.id,
          title: stage.name,
          color: stage.color,
          progress: progressOf(pipeline.stages, stage.id),
          params: { ...asked, stage_id: stage.id },
          // The stage's count includes all deals, so it is shown only without filters.
          note: filtered ? null : <span className="dim num">{stage.deals_count}</span>,
          sums: filtered ? null : <Sums stage={stage} />,
        }))}
        label={(deal) => deal.title}
        onOpen={(deal) => navigate({ to: '/deals/$id', params: { id: deal.id } })}
        onMove={move}
        onKey={(event, deal) => {
          if (event.key !== 'w' || !may) return false
          setClosing(deal)
          return true
        }}
        card={(deal) => <DealCard deal={deal} onClose={may ? () => setClosing(deal) : undefined} />}
      />
      {closing && <CloseDeal deal={closing} onClose={() => setClosing(undefined)} />}
    </>
  )
}

function Sums({ stage }: { stage: DealPipeline['stages'][number] }) {
  const sums = [...stage.deals_amount].sort((a, b) => b.amount - a.amount)
  return sums.map(({ amount, currency }) => (
    <Text key={currency} size="xs" c="dimmed" className="num cut" px={4} pb={4}>
      {money(Math.round(amount), currency)} · weighted {money(Math.round(amount * weightOf(stage)), currency)}
    </Text>
  ))
}

function DealCard({ deal, onClose }: { deal: Deal; onClose?: () => void }) {
  const company = useGet(deal.company_id ? `/companies/${deal.company_id}` : null, undefined, {
    staleTime: 300_000,
  }).data?.data
  const owner = useMembers().nameOf(deal.owner_id)
  const quiet = Math.floor((Date.now() - new Date(deal.updated_at).getTime()) / 86_400_000)
  const late = deal.expected_close_date !== null && deal.expected_close_date.slice(0, 10) < today()
  return (
    <>
      <div className="strong" style={{ overflowWrap: 'anywhere' }}>
        {deal.title}
      </div>
      {company && (
        <div className={classes.line}>
          <Named name={company.name} company size={18} />
        </div>
      )}
      <div className={classes.line}>
        <span className={classes.amount}>{money(deal.amount, deal.currency)}</span>
        <span className="grow" />
        {quiet >= QUIET && (
          <span
            title={`In this stage without a change for ${quiet} days`}
            className="tag"
            data-warn={quiet < ROTTEN || undefined}
            data-loud={quiet >= ROTTEN || undefined}
          >
            Idle {quiet} days
          </span>
        )}
      </div>
      <div className={classes.line}>
        {owner && <Named name={owner} size={18} />}
        <span className="grow" />
        <span
          className="num cut"
          style={{ color: late ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)' }}
        >
          {day(deal.expected_close_date)}
        </span>
        {onClose && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation()
              onClose()
            }}
          >
            Close
          </Button>
        )}
      </div>
    </>
  )
}
