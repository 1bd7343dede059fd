import { Button, SegmentedControl, Select } from '@mantine/core'
import { IconCircleCheck, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { firstOf, type Params } from '../api/client'
import { usePages } from '../api/query'
import type { Task } from '../api/types'
import { today } from '../fields/format'
import { personName, useCan, useMembers, useSession } from '../session'
import { CopyRequest } from '../shell/Copy'
import { Empty, Loaded, Page } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import { NewTask, TASK_TYPES } from './NewTask'
import { Queue } from './Queue'
import { TaskRow } from './TaskRow'

const LISTS: Record<string, { label: string; params: () => Params; empty: string }> = {
  today: {
    label: 'Today',
    params: () => ({ status: 'todo', due_date: `lte.${today()}` }),
    empty: 'Nothing is due today.',
  },
  overdue: {
    label: 'Overdue',
    params: () => ({ status: 'todo', due_date: `lt.${today()}` }),
    empty: 'Nothing is late.',
  },
  upcoming: {
    label: 'Upcoming',
    params: () => ({ status: 'todo', due_date: `gt.${today()}` }),
    empty: 'Nothing is planned.',
  },
  undated: {
    label: 'No date',
    params: () => ({ status: 'todo', due_date: 'is.null' }),
    empty: 'Every task has a date.',
  },
  done: { label: 'Done', params: () => ({ status: 'in.(done,skipped)' }), empty: 'Nothing is done yet.' },
}

export function Tasks() {
  const session = useSession()
  const navigate = useNavigate()
  const { members } = useMembers()
  const may = useCan('tasks:write')
  const search = useSearch({ from: '__root__' })
  const list = search.list && search.list in LISTS ? search.list : 'today'
  const type = firstOf(search.type)
  const whose = search.assigned_to ?? session.user.user_id
  const [queue, setQueue] = useState<Task[]>()
  const set = (changes: Record<string, string | undefined>) =>
    navigate({ to: '.', search: { ...search, ...changes }, replace: true })
  const params: Params = {
    ...LISTS[list].params(),
    sort: list === 'done' ? '-updated_at' : 'due_date,-priority',
    limit: '50',
  }
  if (whose !== 'all') params.assigned_to = whose
  if (type) params.type = type
  const tasks = usePages('/tasks', params)
  const all = tasks.data?.pages.flatMap((page) => page.data) ?? []
  useKeys([['n', () => may && set({ new: '1' })]])
  return (
    <Page
      title="Tasks"
      head={
        <SegmentedControl
          size="xs"
          aria-label="Which tasks"
          data={Object.entries(LISTS).map(([value, { label }]) => ({ value, label }))}
          value={list}
          onChange={(next) => set({ list: next })}
        />
      }
      actions={
        <>
          <CopyRequest path="/tasks" params={params} />
          <Select
            size="xs"
            w={150}
            aria-label="Whose"
            allowDeselect={false}
            data={[
              { value: 'all', label: 'Everybody' },
              ...members.map((one) => ({ value: one.user_id, label: personName(one) })),
            ]}
            value={whose}
            onChange={(next) => set({ assigned_to: next ?? undefined })}
          />
          <Select
            size="xs"
            w={130}
            aria-label="Type"
            placeholder="Any type"
            clearable
            data={TASK_TYPES}
            value={type ?? null}
            onChange={(next) => set({ type: next ?? undefined })}
          />
          {may && all.length > 0 && list !== 'done' && (
            <Button variant="default" leftSection={<IconPlayerPlay size={14} />} onClick={() => setQueue(all)}>
              Work through
            </Button>
          )}
          {may && (
            <Button className="not-small" leftSection={<IconPlus size={14} />} onClick={() => set({ new: '1' })}>
              New task
            </Button>
          )}
        </>
      }
    >
      <div className="narrow">
        {queue ? (
          <Queue tasks={queue} onClose={() => setQueue(undefined)} />
        ) : (
          <Loaded of={tasks}>
            {() =>
              all.length === 0 ? (
                <Empty icon={IconCircleCheck} title={LISTS[list].empty}>
                  Members create tasks, and so do the manual steps of their sequences.
                </Empty>
              ) : (
                <>
                  <div className="card">
                    {all.map((task, index) => (
                      <TaskRow key={task.id} task={task} onOpen={may ? () => setQueue(all.slice(index)) : undefined} />
                    ))}
                  </div>
                  {tasks.hasNextPage && (
                    <Button mt="sm" variant="default" onClick={() => tasks.fetchNextPage()}>
                      Show more
                    </Button>
                  )}
                </>
              )
            }
          </Loaded>
        )}
      </div>
      <NewTask opened={search.new === '1'} onClose={() => set({ new: undefined })} />
    </Page>
  )
}
