import { Anchor, Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { post } from '../api/client'
import { useAction, useGet } from '../api/query'
import { forget, takeRemoval } from '../session'
import { ErrorMessage } from '../shell/problems'
import { SignedOutPage } from './SignedOutPage'

export function SignIn() {
  const { next } = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  const state = useGet('/dashboard/state').data?.data
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [removed] = useState(takeRemoval)
  const enter = useAction(
    () => post('/dashboard/sign-in', { email, password }),
    () => {
      forget()
      navigate({ href: next?.startsWith('/') && !next.startsWith('//') ? next : '/' })
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate(undefined)
  }
  return (
    <SignedOutPage title="Sign in">
      {state?.setup_required && (
        <Text size="sm" mb="sm">
          This server is new. Open the set-up link that it printed when it started; it makes you the owner.
        </Text>
      )}
      {removed && (
        <Text size="sm" mb="sm" role="status">
          The workspace “{removed}” was removed. Its data is being erased; that can take some minutes.
        </Text>
      )}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {enter.error && <ErrorMessage error={enter.error} />}
          <Button type="submit" size="sm" loading={enter.isPending}>
            Sign in
          </Button>
          <Text size="xs" c="dimmed">
            Lost your password? Whoever runs this server can print a new link for you:{' '}
            <Code>relata members reset-password --email you@example.com</Code>{' '}
            <Anchor href="/docs/" size="xs" underline="always">
              API reference
            </Anchor>
          </Text>
        </Stack>
      </form>
    </SignedOutPage>
  )
}
