import { Alert } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { get, type Params, queryString } from '../api/client'
import { keyOf } from '../api/query'
import type { Deal, DealPipeline } from '../api/types'
import { count, money } from '../fields/format'
import { useSession } from '../session'
import { Link } from '../shell/Link'
import { Empty, Loaded } from '../shell/Page'
import classes from './forecast.module.css'
import { filtersOf, type Period, periodOf, periods, type Sum, sumOf } from './sums'

/** The maximum number of deals that are fetched for one screen. */
const MOST = 2000

/** Open deals, page by page, up to the maximum. */
async function openDeals(params: Params) {
  const found: Deal[] = []
  let cursor: string | null = ''
  while (cursor !== null && found.length < MOST) {
    const answer: { data: Deal[]; meta: { next_cursor?: string | null } } = await get('/deals', {
      ...params,
      cursor,
    })
    found.push(...answer.data)
    cursor = answer.meta.next_cursor ?? null
  }
  return { deals: found, more: cursor !== null }
}

const joined = (one: Params, other: Params): Params => {
  const both = { ...one }
  for (const [name, value] of Object.entries(other)) both[name] = name in both ? [both[name], value].flat() : value
  return both
}

type Props = { pipelines: DealPipeline[]; filters: Params }

/** Expected deals by month: sums per currency, each linked to its deals. */
export function Forecast({ pipelines, filters }: Props) {
  const { status: _, ...rest } = filters
  const params = { archived_at: 'is.null', ...rest, status: 'open', sort: 'expected_close_date', limit: '100' }
  const found = useQuery({
    queryKey: [...keyOf('/deals', params), 'all'],
    queryFn: () => openDeals(params),
    placeholderData: keepPreviousData,
  })
  const linkTo = (more: Params) =>
    `/deals?${queryString({ layout: 'table', ...joined({ ...rest, status: 'open' }, more) })}`
  return (
    <Loaded of={found}>
      {() => {
        const { deals, more } = found.data ?? { deals: [], more: false }
        if (deals.length === 0)
          return (
            <Empty icon={IconTargetArrow} title="No open deal">
              Deals that are expected to close appear here by month.
            </Empty>
          )
        return (
          <div className={classes.box}>
            {more && (
              <Alert variant="outline" color="orange" mb="md" title={`Only the first ${count(MOST)} deals are summed`}>
                Narrow the list with a filter: an owner, a pipeline, a stretch of time.
              </Alert>
            )}
            <Months deals={deals} pipelines={pipelines} linkTo={linkTo} />
            <p className="dim">Weighted: each amount multiplied by the probability of its stage.</p>
          </div>
        )
      }}
    </Loaded>
  )
}

type MonthsProps = { deals: Deal[]; pipelines: DealPipeline[]; linkTo: (more: Params) => string }

function Months({ deals, pipelines, linkTo }: MonthsProps) {
  const all = periods()
  const stages = new Map(pipelines.flatMap((one) => one.stages).map((stage) => [stage.id, stage]))
  const groups = new Map<string, Deal[]>(all.map((one) => [one.id, []]))
  for (const deal of deals) groups.get(periodOf(deal, all)?.id ?? '')?.push(deal)
  const { currency: own } = useSession().workspace
  const currencies = [...new Set(deals.map((deal) => deal.currency))].sort((a, b) =>
    a === own ? -1 : b === own ? 1 : a.localeCompare(b),
  )
  const last = Math.max(...all.map((one, index) => (one.from && groups.get(one.id)?.length ? index : 1)))
  const shown = all.filter((one, index) => groups.get(one.id)?.length || (one.from && index <= last))
  const cells = (sums: Map<string, Sum>, filters: Params) =>
    currencies.flatMap((currency) => {
      const sum = sums.get(currency)
      const to = linkTo(joined(filters, { currency: `eq.${currency}` }))
      return (['amount', 'weighted'] as const).map((which) => (
        <td key={`${currency}-${which}`} className={classes.number}>
          {sum && <Link to={to}>{money(Math.round(sum[which]), currency)}</Link>}
        </td>
      ))
    })
  const row = (period: Period) => {
    const mine = groups.get(period.id) ?? []
    return (
      <tr key={period.id} data-late={period.late || undefined}>
        <th scope="row">{period.title}</th>
        <td className={classes.number}>
          {mine.length > 0 && <Link to={linkTo(filtersOf(period))}>{count(mine.length)}</Link>}
        </td>
        {cells(sumOf(mine, stages), filtersOf(period))}
      </tr>
    )
  }
  return (
    <section className={classes.scroll} aria-label="Forecast">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Expected to close</th>
            <th scope="col" className={classes.number}>
              Deals
            </th>
            {currencies.flatMap((currency) => [
              <th key={currency} scope="col" className={classes.number}>
                {currency}
              </th>,
              <th key={`${currency}-weighted`} scope="col" className={classes.number}>
                {currency} weighted
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>{shown.map(row)}</tbody>
        <tfoot>
          <tr>
            <th scope="row">All open</th>
            <td className={classes.number}>
              <Link to={linkTo({})}>{count(deals.length)}</Link>
            </td>
            {cells(sumOf(deals, stages), {})}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
