import { Button, SegmentedControl, Select, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { put } from '../api/client'
import { refresh, useGet, useList } from '../api/query'
import type { Company, Deal, DealPipeline } from '../api/types'
import { Board } from '../board/Board'
import { day, money, today } from '../fields/format'
import type { Row } from '../fields/spec'
import { useCan } from '../session'
import { Empty, Loaded, Page } from '../shell/Page'
import { fail, undoable } from '../shell/tell'
import { Columns } from '../table/Columns'
import { Filters } from '../table/Filters'
import { RecordTable } from '../table/RecordTable'
import { SearchBox } from '../table/SearchBox'
import { useTableState } from '../table/state'
import { Views } from '../table/Views'
import { CloseDeal } from './CloseDeal'
import { dealFields } from './fields'
import { NewDeal } from './NewDeal'

const DEFAULTS = {
  columns: [
    'title',
    'stage_id',
    'status',
    'amount',
    'probability',
    'expected_close_date',
    'company_id',
    'owner_id',
    'updated_at',
  ],
  sort: '-created_at',
  hideArchived: true,
}

export function Deals() {
  const state = useTableState(DEFAULTS)
  const navigate = useNavigate()
  const may = useCan('deals:write')
  const pipelines = useList<DealPipeline>('/deal-pipelines')
  const all = pipelines.data?.data ?? []
  const pipeline = all.find((one) => one.id === state.filters.pipeline_id) ?? all[0]
  const table = state.all.layout === 'table'
  const fields = dealFields(all)
  const add = () => state.set({ new: '1' })
  useHotkeys([['n', () => may && add()]])
  return (
    <Page
      title="Deals"
      flush
      head={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Layout"
            data={[
              { value: 'board', label: 'Board' },
              { value: 'table', label: 'Table' },
            ]}
            value={table ? 'table' : 'board'}
            onChange={(layout) => state.set({ layout: layout === 'table' ? layout : undefined })}
          />
          {!table && all.length > 1 && (
            <Select
              size="xs"
              aria-label="Pipeline"
              allowDeselect={false}
              data={all.map((one) => ({ value: one.id, label: one.name }))}
              value={pipeline?.id ?? null}
              onChange={(id) => state.set({ pipeline_id: id ?? undefined })}
            />
          )}
        </>
      }
      actions={
        <>
          <Views state={state} collection="deals" />
          <SearchBox state={state} />
          <Filters state={state} fields={fields} path="/deals" archives />
          {table && <Columns state={state} fields={fields} lead="title" />}
          {may && (
            <Button leftSection={<IconPlus size={14} />} onClick={add}>
              New deal
            </Button>
          )}
        </>
      }
    >
      <Loaded of={pipelines}>
        {() =>
          table ? (
            <RecordTable<Deal & Row>
              name="Deals"
              path="/deals"
              state={state}
              fields={fields}
              lead="title"
              locked={!may}
              onOpen={(row) => navigate({ to: '/deals/$id', params: { id: row.id } })}
              empty={
                <Empty
                  title="No deal fits"
                  action={<Button onClick={() => state.replace({ layout: 'table' })}>Show all</Button>}
                />
              }
            />
          ) : pipeline ? (
            <DealBoard pipeline={pipeline} filters={state.filters} />
          ) : (
            <Empty title="No pipeline">Make one in the settings first.</Empty>
          )
        }
      </Loaded>
      <NewDeal
        opened={state.all.new === '1'}
        onClose={() => state.set({ new: undefined })}
        stay
        initial={pipeline ? { pipeline_id: pipeline.id, stage_id: pipeline.stages[0]?.id } : {}}
      />
    </Page>
  )
}

/** A card that has not moved for a month is marked. */
const ROTTEN = 30 * 86_400_000

function DealBoard({ pipeline, filters }: { pipeline: DealPipeline; filters: Record<string, string | string[]> }) {
  const navigate = useNavigate()
  const may = useCan('deals:write')
  const [closing, setClosing] = useState<Deal>()
  const { pipeline_id: _, stage_id: __, ...rest } = filters
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
        path="/deals"
        locked={!may}
        columns={pipeline.stages.map((stage) => ({
          id: stage.id,
          title: stage.name,
          color: stage.color,
          params: { ...asked, stage_id: stage.id },
          note: <span className="dim num">{stage.deals_count}</span>,
          sums: <Sums stage={stage} />,
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
  const weighted = (stage.probability ?? 0) / 100
  const sums = [...stage.deals_amount].sort((a, b) => b.amount - a.amount)
  return (
    <Text size="xs" c="dimmed" className="num cut" px={10} pb={6}>
      {sums.map((sum, index) => (
        <span
          key={sum.currency}
          title={`Weighted by ${stage.probability ?? 0} %: ${money(Math.round(sum.amount * weighted), sum.currency)}`}
        >
          {index > 0 && ' · '}
          {money(Math.round(sum.amount), sum.currency)}
        </span>
      ))}
      {sums.length === 1 && <> · weighted {money(Math.round(sums[0].amount * weighted), sums[0].currency)}</>}
    </Text>
  )
}

function DealCard({ deal, onClose }: { deal: Deal; onClose?: () => void }) {
  const company = useGet<Company>(deal.company_id ? `/companies/${deal.company_id}` : null, undefined, {
    staleTime: 300_000,
  }).data?.data
  const rotten = Date.now() - new Date(deal.updated_at).getTime() > ROTTEN
  const late = deal.expected_close_date !== null && deal.expected_close_date.slice(0, 10) < today()
  return (
    <>
      <div style={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{deal.title}</div>
      <div className="cut dim">{company?.name}</div>
      <div style={{ display: 'flex', gap: 8, alignItems: 'center', marginTop: 4 }}>
        <span className="num">{money(deal.amount, deal.currency)}</span>
        <span className="grow" />
        {rotten && (
          <span title="Nothing has happened here for a month" className="tag">
            quiet
          </span>
        )}
        <span className="num" style={{ color: late ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)' }}>
          {day(deal.expected_close_date)}
        </span>
        {onClose && (
          <Button
            size="compact-xs"
            variant="default"
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
