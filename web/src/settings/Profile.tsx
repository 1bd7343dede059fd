import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { queryClient, refresh, useAction, useList } from '../api/query'
import { PASSWORD_RULE } from '../auth/SignedOutPage'
import { ago } from '../fields/format'
import { useSession } from '../session'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty } from '../shell/Page'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { useProblems } from '../shell/useProblems'

export function Profile() {
  return (
    <Stack gap="md">
      <Name />
      <Password />
      <Sessions />
    </Stack>
  )
}

function Name() {
  const { user } = useSession()
  const [first, setFirst] = useState(user.first_name)
  const [last, setLast] = useState(user.last_name)
  const save = useAction(
    () => put('/dashboard/profile', { first_name: first, last_name: last }),
    () => {
      queryClient.invalidateQueries({ queryKey: ['dashboard', '/dashboard/session'] })
      refresh('members')
      notify('Saved')
    },
  )
  const { left, solveAt } = useProblems(save.error)
  return (
    <Card title="You">
      <form
        onInput={solveAt}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(undefined)
        }}
      >
        <Stack gap="sm">
          <Group grow gap="sm">
            <TextInput
              label="First name"
              required
              error={problemOf(left, 'first_name')}
              value={first}
              onChange={(event) => setFirst(event.currentTarget.value)}
            />
            <TextInput
              label="Last name"
              error={problemOf(left, 'last_name')}
              value={last}
              onChange={(event) => setLast(event.currentTarget.value)}
            />
          </Group>
          <Text c="dimmed">{user.email}</Text>
          {left && !isPlaced(left, ['first_name', 'last_name']) && <ErrorMessage error={left} />}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

function Password() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const save = useAction(
    () => post('/dashboard/password', { current, new: next }),
    () => {
      setCurrent('')
      setNext('')
      refresh('sessions')
      notify('Password changed')
    },
  )
  const { left, solveAt } = useProblems(save.error)
  return (
    <Card title="Password">
      <form
        onInput={solveAt}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(undefined)
        }}
      >
        <Stack gap="sm">
          <Group grow gap="sm" align="flex-start">
            <PasswordInput
              label="Current password"
              description="The one you sign in with"
              required
              autoComplete="current-password"
              error={problemOf(left, 'current')}
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
            />
            <PasswordInput
              label="New password"
              description={PASSWORD_RULE}
              required
              autoComplete="new-password"
              error={problemOf(left, 'new')}
              value={next}
              onChange={(event) => setNext(event.currentTarget.value)}
            />
          </Group>
          {left && !isPlaced(left, ['current', 'new']) && <ErrorMessage error={left} />}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

function Sessions() {
  const sessions = useList('/dashboard/sessions').data?.data ?? []
  return (
    <Card title="Where you are signed in" flush>
      {sessions.map((one) => (
        <div key={one.id} className="row-link">
          <span className="grow cut">{agent(one.user_agent) || one.address || 'A browser'}</span>
          <span className="dim">{one.address}</span>
          <span className="dim">{ago(one.last_used_at ?? one.created_at)}</span>
          {one.current ? (
            <span className="tag">This one</span>
          ) : (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => remove(`/dashboard/sessions/${one.id}`).then(() => refresh('sessions'), notifyError)}
            >
              Sign out
            </Button>
          )}
        </div>
      ))}
      {sessions.length === 0 && <Empty icon={IconDevices} title="No other sessions" />}
    </Card>
  )
}

/** `Firefox on Linux` from a User-Agent header. */
function agent(text: string | null | undefined): string {
  if (!text) return ''
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(text)?.[1]
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(text)?.[1]
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  const named = [browser, system].map((one) => (one ? (names[one] ?? one) : '')).filter(Boolean)
  return named.join(' on ') || text
}
