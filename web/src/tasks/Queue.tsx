import { Anchor, Button, Group, Progress, Text, Textarea, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { post } from '../api/client'
import { save, useGet } from '../api/query'
import type { Task } from '../api/types'
import { Compose } from '../compose/Compose'
import { Details } from '../fields/Details'
import { day } from '../fields/format'
import { humanize } from '../fields/spec'
import { CONTACT } from '../fields/tables'
import { Notes } from '../record/Notes'
import { personName } from '../session'
import { Link } from '../shell/Link'
import { notifyError } from '../shell/notices'
import { Card, Empty } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import { finishTask, snooze } from './TaskRow'

/** Tasks one after another, with their person beside them. */
export function Queue({ tasks, onClose }: { tasks: Task[]; onClose: () => void }) {
  const [at, setAt] = useState(0)
  const task = tasks[at]
  const next = () => setAt(at + 1)
  const finish = (status: 'done' | 'skipped') => finishTask(task, status).then(next)
  const off = (days: number) => snooze(task, days).then(next)
  useKeys([
    ['d', () => task && finish('done')],
    ['s', () => task && finish('skipped')],
    ['z', () => task && off(1)],
    ['j', () => at < tasks.length - 1 && next()],
    ['k', () => at > 0 && setAt(at - 1)],
    ['Escape', onClose],
  ])
  if (!task) {
    return (
      <Empty
        icon={IconCircleCheck}
        title="That was the last one"
        action={<Button onClick={onClose}>Back to the list</Button>}
      >
        You have gone through all tasks in this list.
      </Empty>
    )
  }
  return (
    <>
      <Group mb="sm" gap="sm">
        <Text className="num">
          {at + 1} of {tasks.length}
        </Text>
        <Progress className="grow" value={(100 * at) / tasks.length} aria-label="Progress" />
        <Button variant="default" onClick={onClose}>
          Stop
        </Button>
      </Group>
      <Card key={task.id}>
        <One task={task} />
        <Group mt="md" gap="xs">
          <Button onClick={() => finish('done')}>
            Done <span className="key-hint">D</span>
          </Button>
          <Button variant="default" onClick={() => finish('skipped')}>
            Skip <span className="key-hint">S</span>
          </Button>
          <Button variant="default" onClick={() => off(1)}>
            Tomorrow <span className="key-hint">Z</span>
          </Button>
          <Button variant="default" onClick={() => off(7)}>
            In a week
          </Button>
          <Button variant="subtle" color="gray" onClick={next}>
            Skip for now <span className="key-hint">J</span>
          </Button>
        </Group>
      </Card>
    </>
  )
}

function One({ task }: { task: Task }) {
  const contact = useGet(task.contact_id ? `/contacts/${task.contact_id}` : null).data?.data
  const [title, setTitle] = useState(task.title)
  const [writing, setWriting] = useState(false)
  const [note, setNote] = useState('')
  const saveTitle = () => title.trim() && title !== task.title && save('/tasks', task.id, { title }).catch(notifyError)
  const remember = () =>
    post(`/contacts/${task.contact_id}/notes`, { content: note }).then(() => setNote(''), notifyError)
  return (
    <>
      <TextInput
        aria-label="Task"
        variant="unstyled"
        styles={{ input: { fontWeight: 600, fontSize: '1rem' } }}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onBlur={saveTitle}
      />
      <Text c="dimmed">
        {[humanize(task.type), task.due_date && `due ${day(task.due_date)}`, `${task.priority} priority`]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {task.description && (
        <Text mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {task.description}
        </Text>
      )}
      {contact && (
        <>
          <Group mt="md" mb="xs" gap="sm">
            <Anchor component={Link} to={`/contacts/${contact.id}`} fw={600}>
              {personName(contact)}
            </Anchor>
            {contact.phones.map((one) => (
              <Anchor key={one.phone} href={`tel:${one.phone}`}>
                {one.phone}
              </Anchor>
            ))}
            <Button variant="default" onClick={() => setWriting(true)}>
              Message
            </Button>
          </Group>
          <Details
            path="/contacts"
            row={contact}
            fields={CONTACT.filter((field) =>
              ['title', 'current_company', 'emails', 'location', 'global_status'].includes(field.key),
            )}
          />
          <Textarea
            mt="sm"
            aria-label="Note about the call"
            placeholder="Result (Ctrl-Enter saves it as a note)"
            autosize
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) =>
              event.key === 'Enter' && (event.ctrlKey || event.metaKey) && note.trim() && remember()
            }
          />
          <details style={{ marginTop: 8 }}>
            <summary>Notes</summary>
            <Notes path={`/contacts/${contact.id}`} />
          </details>
          <Compose contact={contact} opened={writing} onClose={() => setWriting(false)} />
        </>
      )}
    </>
  )
}
