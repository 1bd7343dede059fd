import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { post } from '../api/client'
import { queryClient, useAction, useGet } from '../api/query'
import { Waiting } from '../shell/Page'
import { Words } from '../shell/tell'
import { Door } from './Door'

/** Also the page of a link that lets somebody in who lost the password. */
export function Invitation() {
  const token = window.location.hash.slice(1)
  const navigate = useNavigate()
  const asked = useGet<{
    email: string
    workspace_name: string
    first_name?: string | null
    last_name?: string | null
  }>('/dashboard/invitation', { token })
  const [form, setForm] = useState({ first_name: '', last_name: '', password: '' })
  const send = useAction(
    () => post('/dashboard/invitation', { token, ...form }),
    () => {
      queryClient.clear()
      navigate({ to: '/' })
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(undefined)
  }
  if (asked.isPending) return <Waiting />
  if (asked.error || !asked.data) {
    return (
      <Door title="This link does not work">
        <Text size="sm">
          It was used already, taken back, or it is too old. Ask for a new one, or{' '}
          <Anchor href="/sign-in">sign in</Anchor>.
        </Text>
      </Door>
    )
  }
  return (
    <Door title={`Join ${asked.data.data.workspace_name}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label="Email" value={asked.data.data.email} readOnly autoComplete="username" />
          <Group grow gap="sm">
            <TextInput
              label="First name"
              required
              autoFocus
              value={form.first_name}
              onChange={(event) => setForm({ ...form, first_name: event.currentTarget.value })}
            />
            <TextInput
              label="Last name"
              required
              value={form.last_name}
              onChange={(event) => setForm({ ...form, last_name: event.currentTarget.value })}
            />
          </Group>
          <PasswordInput
            label="Password"
            description="At least 10 characters"
            required
            autoComplete="new-password"
            value={form.password}
            onChange={(event) => setForm({ ...form, password: event.currentTarget.value })}
          />
          {send.error && <Words error={send.error} />}
          <Button type="submit" size="sm" loading={send.isPending}>
            Join
          </Button>
        </Stack>
      </form>
    </Door>
  )
}
