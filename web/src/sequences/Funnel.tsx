import { Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useList } from '../api/query'
import type { StepStats, WholeSequence } from '../api/types'
import { count } from '../fields/format'
import { humanize } from '../fields/spec'
import { Card, Empty, Loaded } from '../shell/Page'
import classes from './sequences.module.css'
import { letterOf } from './steps'

const COLUMNS = [
  'planned',
  'sent',
  'opened',
  'clicked',
  'replied',
  'bounced',
  'skipped',
  'failed',
  'unsubscribed',
] as const

/** The number of contacts that reached each step. */
export function Funnel({ sequence }: { sequence: WholeSequence }) {
  const stats = useList(`/sequences/${sequence.id}/stats`)
  const { total } = sequence.enrollments
  return (
    <Card title="Progress by step" flush>
      <Loaded of={stats}>
        {() =>
          stats.data?.data.length ? (
            <div style={{ overflowX: 'auto' }}>
              <table className={classes.table}>
                <thead>
                  <tr>
                    <th>Step</th>
                    <th>Reached</th>
                    {COLUMNS.map((column) => (
                      <th key={column} className={classes.number}>
                        {humanize(column)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {stats.data.data.map((step) => (
                    <Fragment key={step.step_id}>
                      <tr>
                        <td>
                          {step.position + 1}. {step.name ?? humanize(step.type)}
                          {step.version !== sequence.version && <span className="dim"> (version {step.version})</span>}
                        </td>
                        <td>
                          <div className={classes.bar} aria-hidden>
                            <div style={{ width: `${total ? (100 * step.sent) / total : 0}%` }} />
                          </div>
                        </td>
                        {COLUMNS.map((column) => (
                          <td key={column} className={classes.number}>
                            {step[column] ? count(step[column]) : <span className="dim">0</span>}
                          </td>
                        ))}
                      </tr>
                      <VariantRows step={step} version={sequence.version} />
                    </Fragment>
                  ))}
                </tbody>
              </table>
            </div>
          ) : (
            <Empty icon={IconChartBar} title="No steps yet" />
          )
        }
      </Loaded>
    </Card>
  )
}

/** The results of each variant, and what they show. */
function VariantRows({ step, version }: { step: StepStats; version: number }) {
  const { variants, comparison } = step
  return (
    <>
      {variants.map((variant) => (
        <tr key={variant.variant_id}>
          <td className={classes.variant}>
            {letterOf(variant.position)}
            {variant.name && `: ${variant.name}`}
            {variant.version !== version && <span className="dim"> (version {variant.version})</span>}
          </td>
          <td />
          {COLUMNS.map((column) => (
            <td key={column} className={classes.number}>
              {column === 'planned' || column === 'skipped' ? '' : count(variant[column])}
            </td>
          ))}
        </tr>
      ))}
      {comparison && (
        <tr>
          <td colSpan={COLUMNS.length + 2} className={classes.verdict}>
            <Text size="sm" fw={comparison.verdict === 'better' ? 600 : undefined}>
              {comparison.summary}
            </Text>
          </td>
        </tr>
      )}
    </>
  )
}
