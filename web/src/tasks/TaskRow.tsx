import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { post, remove } from '../api/client'
import { refresh, save, useGet } from '../api/query'
import type { Task } from '../api/types'
import { day, today } from '../fields/format'
import { personName, useCan } from '../session'
import { Named } from '../shell/Avatar'
import { Kind } from '../shell/icons'
import { Link } from '../shell/Link'
import { notifyError, notifyWithUndo } from '../shell/notices'

export function finishTask(task: Task, status: Task['status']) {
  return save('/tasks', task.id, { status }).then(() => {
    refresh('tasks')
    notifyWithUndo(status === 'done' ? 'Task done' : status === 'skipped' ? 'Task skipped' : 'Task reopened', () =>
      save('/tasks', task.id, { status: task.status }).then(() => refresh('tasks')),
    )
  }, notifyError)
}

export const snooze = (task: Task, days: number) =>
  save('/tasks', task.id, { due_date: today(days) }).then(() => {
    refresh('tasks')
    notifyWithUndo(`Postponed to ${day(today(days))}`, () =>
      save('/tasks', task.id, { due_date: task.due_date }).then(() => refresh('tasks')),
    )
  }, notifyError)

export function TaskRow({ task, active, onOpen }: { task: Task; active?: boolean; onOpen?: () => void }) {
  const may = useCan('tasks:write')
  const contact = useGet(task.contact_id ? `/contacts/${task.contact_id}` : null, undefined, {
    staleTime: 300_000,
  }).data?.data
  const late = task.status === 'todo' && task.due_date !== null && task.due_date < today()
  const drop = () =>
    remove(`/tasks/${task.id}`).then(() => {
      refresh('tasks')
      const { id: _, created_at: __, updated_at: ___, completed_at: ____, ...again } = task
      notifyWithUndo('Task deleted', () => post('/tasks', again).then(() => refresh('tasks')))
    }, notifyError)
  return (
    <div className="row-link" data-active={active || undefined}>
      <Checkbox
        size="xs"
        disabled={!may}
        aria-label={`${task.title}: done`}
        checked={task.status !== 'todo'}
        onChange={(event) => finishTask(task, event.currentTarget.checked ? 'done' : 'todo')}
      />
      <span className="not-small" style={{ lineHeight: 0 }}>
        <Kind of={task.type} />
      </span>
      <div className="grow">
        {onOpen ? (
          <button
            type="button"
            className="row-plain cut"
            onClick={onOpen}
            data-done={task.status !== 'todo' || undefined}
          >
            {task.title}
          </button>
        ) : (
          <div className="cut" style={{ textDecoration: task.status === 'todo' ? undefined : 'line-through' }}>
            {task.title}
          </div>
        )}
      </div>
      {task.priority === 'high' && (
        <span className="tag" data-loud>
          High
        </span>
      )}
      <span className="row-person">
        {contact && (
          <Link to={`/contacts/${contact.id}`} className="quiet">
            <Named name={personName(contact)} />
          </Link>
        )}
      </span>
      <span
        className="when"
        style={{ color: late ? 'var(--r-danger)' : undefined, fontWeight: late ? 600 : undefined }}
      >
        {day(task.due_date)}
      </span>
      {may && (
        <Menu>
          <Menu.Target>
            <ActionIcon size="sm" aria-label={`Actions for ${task.title}`}>
              <IconDots size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => snooze(task, 1)}>Postpone to tomorrow</Menu.Item>
            <Menu.Item onClick={() => snooze(task, 7)}>Postpone for a week</Menu.Item>
            <Menu.Item onClick={() => finishTask(task, 'skipped')}>Skip</Menu.Item>
            <Menu.Item onClick={drop}>Delete</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
