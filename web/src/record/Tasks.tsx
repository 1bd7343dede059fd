import { Button } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../api/query'
import { useCan } from '../session'
import { iconOf } from '../shell/icons'
import { Empty, Loaded } from '../shell/Page'
import { NewTask } from '../tasks/NewTask'
import { TaskRow } from '../tasks/TaskRow'

type TaskTarget = { contact_id?: string; company_id?: string; deal_id?: string; project_id?: string }

/** The tasks of a record. */
export function RecordTasks({ on }: { on: TaskTarget }) {
  const tasks = useList('/tasks', { ...on, sort: 'status,due_date', limit: '100' })
  const [adding, setAdding] = useState(false)
  const may = useCan('tasks:write')
  return (
    <>
      {may && (
        <Button mb="sm" variant="default" onClick={() => setAdding(true)}>
          New task
        </Button>
      )}
      <Loaded of={tasks}>
        {() =>
          tasks.data?.data.length ? (
            <div className="card">
              {tasks.data.data.map((task) => (
                <TaskRow key={task.id} task={task} />
              ))}
            </div>
          ) : (
            <Empty title="No tasks" icon={iconOf('tasks')}>
              A task reminds a member of the next step.
            </Empty>
          )
        }
      </Loaded>
      <NewTask opened={adding} onClose={() => setAdding(false)} on={on} />
    </>
  )
}
