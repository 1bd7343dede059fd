import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInbox, IconPlus, IconSend, IconTargetArrow } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type Params, queryString } from '../api/client'
import { useList } from '../api/query'
import { ago, count, money, today } from '../fields/format'
import { Chip } from '../fields/Show'
import { personName, useCan, useSession } from '../session'
import { Avatar } from '../shell/Avatar'
import { Link } from '../shell/Link'
import { Page } from '../shell/Page'
import { TaskRow } from '../tasks/TaskRow'
import { agoDays, Box, Nothing } from './Box'
import { GettingStarted } from './GettingStarted'
import { StaleCandidates } from './StaleCandidates'

const TODAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

/** The home page: everything that needs attention today. */
export function Home() {
  const session = useSession()
  const navigate = useNavigate()
  return (
    <Page
      title="Today"
      head={<span className="dim not-small">{TODAY.format(new Date())}</span>}
      actions={
        useCan('tasks:write') && (
          <Button
            className="not-small"
            leftSection={<IconPlus size={14} />}
            onClick={() => navigate({ to: '/tasks', search: { new: '1' } })}
          >
            New task
          </Button>
        )
      }
    >
      <div className="narrow">
        {session.user.first_name && <h2 className="greeting">Hello {session.user.first_name}</h2>}
        <GettingStarted />
        <div className="home">
          <div>
            <Waiting />
            <MyTasks />
          </div>
          <div>
            <Troubles />
            <StaleCandidates />
            <IdleDeals />
            <Sending />
          </div>
        </div>
      </div>
    </Page>
  )
}

function MyTasks() {
  const session = useSession()
  const params: Params = {
    status: 'todo',
    due_date: `lte.${today()}`,
    assigned_to: session.user.user_id,
    sort: 'due_date,-priority',
    limit: '8',
  }
  const tasks = useList(useCan('tasks:read') ? '/tasks' : null, params)
  return (
    <Box icon={IconCircleCheck} title="My tasks" total={tasks.data?.meta.total} to="/tasks">
      {tasks.data?.data.length ? (
        tasks.data.data.map((task) => <TaskRow key={task.id} task={task} />)
      ) : (
        <Nothing>Nothing is due today.</Nothing>
      )}
    </Box>
  )
}

function Waiting() {
  const list = useList(useCan('messages:read') ? '/conversations' : null, {
    unread_count: 'gt.0',
    status: 'open',
    snoozed_until: 'is.null',
    limit: '8',
  })
  return (
    <Box icon={IconInbox} title="Replies waiting" total={list.data?.meta.total} to="/inbox">
      {list.data?.data.length ? (
        list.data.data.map((one) => (
          <Link key={one.id} to={`/inbox?open=${one.id}`} className="row-link">
            <Avatar name={personName(one.contact)} size={28} />
            <span className="grow">
              <span className="chip">
                <span className="strong cut">{personName(one.contact)}</span>
                <span className="signal" />
              </span>
              <span className="cut dim" style={{ display: 'block' }}>
                {one.subject}
              </span>
            </span>
            <span className="when dim">{ago(one.last_message_at)}</span>
          </Link>
        ))
      ) : (
        <Nothing>Every reply has been read.</Nothing>
      )}
    </Box>
  )
}

function IdleDeals() {
  const params: Params = {
    status: 'open',
    archived_at: 'is.null',
    updated_at: `lt.${agoDays(14).slice(0, 10)}`,
    sort: 'updated_at',
    limit: '8',
  }
  const deals = useList(useCan('deals:read') ? '/deals' : null, params)
  const { limit: _, archived_at: __, ...shown } = params
  return (
    <Box
      icon={IconTargetArrow}
      title="Idle deals (14+ days)"
      total={deals.data?.meta.total}
      to={`/deals?layout=table&${queryString(shown)}`}
    >
      {deals.data?.data.length ? (
        deals.data.data.map((one) => (
          <Link key={one.id} to={`/deals/${one.id}`} className="row-link">
            <span className="grow cut">{one.title}</span>
            <span className="num">{money(one.amount, one.currency)}</span>
            <span className="dim">{ago(one.updated_at)}</span>
          </Link>
        ))
      ) : (
        <Nothing>All open deals have moved lately.</Nothing>
      )}
    </Box>
  )
}

function Sending() {
  const list = useList(useCan('sequences:read') ? '/sequences' : null, {
    status: 'in.(active,paused)',
    sort: '-updated_at',
    limit: '8',
  })
  return (
    <Box icon={IconSend} title="Sequences" total={list.data?.meta.total} to="/sequences">
      {list.data?.data.length ? (
        list.data.data.map((one) => (
          <Link key={one.id} to={`/sequences/${one.id}`} className="row-link">
            <span className="grow cut">
              <Chip value={one.status} label={one.name} />
            </span>
            <span className="dim num">
              {count(one.enrollments.active)} active, {count(one.enrollments.replied)} replied
            </span>
          </Link>
        ))
      ) : (
        <Nothing>No sequence is running.</Nothing>
      )}
    </Box>
  )
}

function Troubles() {
  const accounts = useList(useCan('messages:read') ? '/connected-accounts' : null).data?.data ?? []
  const imports =
    useList(useCan('contacts:read') ? '/imports' : null, { status: 'failed', limit: '3' }).data?.data ?? []
  const broken = accounts.filter((one) => one.status === 'error')
  if (broken.length + imports.length === 0) return null
  return (
    <Box icon={IconAlertTriangle} title="Needs you" to="/settings/accounts">
      {broken.map((one) => (
        <Link key={one.id} to="/settings/accounts" className="row-link">
          <Chip value="error" label={one.name} />
          <span className="grow cut">{one.status_reason}</span>
        </Link>
      ))}
      {imports.map((one) => (
        <Link key={one.id} to="/import" className="row-link">
          <Chip value="failed" label={one.filename ?? 'Import'} />
          <span className="grow cut">{one.error}</span>
        </Link>
      ))}
    </Box>
  )
}
