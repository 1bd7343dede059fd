import { Button } from '@mantine/core'
import { useGet } from '../api/query'
import type { Deal, Task } from '../api/types'
import classes from '../board/board.module.css'
import { Idle } from '../board/Idle'
import { day, money, today } from '../fields/format'
import { useMembers } from '../session'
import { Avatar, Named } from '../shell/Avatar'
import { Kind } from '../shell/icons'

type Props = {
  deal: Deal
  /** The name of its company, if the board knows it. */
  company?: string
  /** Its next task; null if there is none, undefined if the board does not know. */
  task: Task | null | undefined
  onClose?: () => void
}

export function DealCard({ deal, company: known, task, onClose }: Props) {
  const asked = deal.company_id && known === undefined
  const found = useGet(asked ? `/companies/${deal.company_id}` : null, undefined, { staleTime: 300_000 }).data?.data
  const company = known ?? found?.name
  const owner = useMembers().nameOf(deal.owner_id)
  const isLate = deal.expected_close_date !== null && deal.expected_close_date.slice(0, 10) < today()
  return (
    <>
      <div className={classes.line} style={{ marginTop: 0, alignItems: 'flex-start' }}>
        <span className="strong grow" style={{ overflowWrap: 'anywhere' }}>
          {deal.title}
        </span>
        {owner && (
          <span title={owner} role="img" aria-label={`Owner: ${owner}`}>
            <Avatar name={owner} />
          </span>
        )}
      </div>
      {company && (
        <div className={classes.line}>
          <Named name={company} company size={18} />
        </div>
      )}
      {(deal.amount !== null || deal.expected_close_date) && (
        <div className={classes.line}>
          <span className={classes.amount}>{money(deal.amount, deal.currency)}</span>
          <span className="grow" />
          <span
            className="num cut"
            title="Expected close"
            style={{ color: isLate ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)' }}
          >
            {day(deal.expected_close_date)}
          </span>
        </div>
      )}
      <div className={classes.line}>
        <NextTask task={task} />
        <Idle since={deal.updated_at} />
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

function NextTask({ task }: Pick<Props, 'task'>) {
  if (task === undefined) return <span className="grow" />
  if (task === null) return <span className="grow cut dim">No next task</span>
  const isLate = task.due_date !== null && task.due_date.slice(0, 10) < today()
  return (
    <span className={`grow ${classes.task}`} title={`Next task: ${task.title}`}>
      <Kind of={task.type} size={14} />
      <span className="cut">{task.title}</span>
      <span className="num" style={{ color: isLate ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)' }}>
        {day(task.due_date)}
      </span>
    </span>
  )
}
