import { Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { post } from '../api/client'
import { useAction, useGet } from '../api/query'
import { forget } from '../session'
import { Waiting } from '../shell/Page'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { PASSWORD_RULE, SignedOutPage } from './SignedOutPage'

const FIELDS = ['first_name', 'last_name', 'password']

/** Also the page of a link for a lost password. */
export function Invitation() {
  const [token] = useState(() => window.location.hash.slice(1))
  const navigate = useNavigate()
  const asked = useGet('/dashboard/invitation', { token }, { retry: false })
  const [form, setForm] = useState({ first_name: '', last_name: '', password: '' })
  const send = useAction(
    () => {
      const { password, ...names } = form
      const given = Object.fromEntries(Object.entries(names).filter(([, name]) => name.trim()))
      return post('/dashboard/invitation', { token, ...(password ? { password } : {}), ...given })
    },
    () => {
      forget()
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
      <SignedOutPage title="This link does not work">
        <Text size="sm">
          It was used already, was revoked or has expired. Ask for a new one, or{' '}
          <Anchor href="/sign-in" underline="always">
            sign in
          </Anchor>
          . Whoever runs this server can print one for a member:{' '}
          <Code>relata members reset-password --email you@example.com</Code>
        </Text>
      </SignedOutPage>
    )
  }
  const { kind, signed_in: signedIn, workspace_name, email } = asked.data.data
  const reset = kind === 'reset'
  const asksName = (!reset || !asked.data.data.first_name) && !signedIn
  return (
    <SignedOutPage title={reset ? 'Choose a new password' : `Join ${workspace_name}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label="Email" value={email} readOnly autoComplete="username" />
          {asksName && (
            <Group grow gap="sm">
              <TextInput
                label="First name"
                required
                autoFocus
                value={form.first_name}
                error={problemOf(send.error, 'first_name')}
                onChange={(event) => setForm({ ...form, first_name: event.currentTarget.value })}
              />
              <TextInput
                label="Last name"
                value={form.last_name}
                error={problemOf(send.error, 'last_name')}
                onChange={(event) => setForm({ ...form, last_name: event.currentTarget.value })}
              />
            </Group>
          )}
          {!signedIn && (
            <PasswordInput
              label="Password"
              description={
                reset
                  ? PASSWORD_RULE
                  : `If you have an account on this server already, its password. Otherwise choose one. ${PASSWORD_RULE}.`
              }
              required
              autoFocus={!asksName}
              autoComplete={reset ? 'new-password' : undefined}
              value={form.password}
              error={problemOf(send.error, 'password')}
              onChange={(event) => setForm({ ...form, password: event.currentTarget.value })}
            />
          )}
          {send.error && !isPlaced(send.error, FIELDS) && <ErrorMessage error={send.error} />}
          <Button type="submit" size="sm" loading={send.isPending}>
            {reset ? 'Save and sign in' : 'Join'}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  )
}
