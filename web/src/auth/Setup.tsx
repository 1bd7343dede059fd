import { Anchor, Button, Checkbox, Code, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { post } from '../api/client'
import { useAction, useGet } from '../api/query'
import { forget } from '../session'
import { Waiting } from '../shell/Page'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { PASSWORD_RULE, SignedOutPage } from './SignedOutPage'

const ZONES = Intl.supportedValuesOf('timeZone')
const CURRENCIES = Intl.supportedValuesOf('currency')

const FIELDS = ['first_name', 'last_name', 'email', 'password', 'workspace_name'] as const

type Problems = Partial<Record<(typeof FIELDS)[number], string>>

/** What can be seen without the server, which checks one thing after another: all problems are shown at once. */
function problemsOf(form: Record<(typeof FIELDS)[number], string>): Problems {
  const found: Problems = {}
  for (const name of ['first_name', 'workspace_name'] as const) if (!form[name].trim()) found[name] = 'is required'
  if (!/^[^\s@]+@[^\s@]+$/.test(form.email.trim())) found.email = 'is not an email address'
  if ([...form.password].length < 12) found.password = 'needs at least 12 characters'
  return found
}

/** The set-up of a new server. The link's token is behind the `#`, so that no log contains it. */
export function Setup() {
  const [token] = useState(() => window.location.hash.slice(1))
  const navigate = useNavigate()
  const check = useGet('/dashboard/setup', { token })
  const [form, setForm] = useState({
    first_name: '',
    last_name: '',
    email: '',
    password: '',
    workspace_name: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    currency: 'EUR',
    demo_data: false,
  })
  const [problems, setProblems] = useState<Problems>({})
  const send = useAction(
    () => post('/dashboard/setup', { token, ...form, last_name: form.last_name.trim() || undefined }),
    () => {
      forget()
      navigate({ to: '/' })
    },
  )
  const field = (name: (typeof FIELDS)[number]) => ({
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value }),
    error: problems[name] ? <span role="alert">{problems[name]}</span> : problemOf(send.error, name),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(form)
    setProblems(found)
    if (Object.keys(found).length > 0) send.reset()
    else send.mutate(undefined)
  }
  if (check.isPending) return <Waiting />
  if (!check.data?.data?.valid) {
    return (
      <SignedOutPage title="This link does not work">
        <Text size="sm">
          A set-up link works once, on a server that has no owner yet. If you have an account already,{' '}
          <Anchor href="/sign-in" underline="always">
            sign in
          </Anchor>
          . Whoever runs this server can print a new link:{' '}
          <Code>relata members reset-password --email you@example.com</Code> (before the first set-up:{' '}
          <Code>owner@localhost</Code>).
        </Text>
      </SignedOutPage>
    )
  }
  return (
    <SignedOutPage title="Set up your workspace">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Group grow gap="sm">
            <TextInput label="First name" required autoFocus autoComplete="given-name" {...field('first_name')} />
            <TextInput label="Last name" autoComplete="family-name" {...field('last_name')} />
          </Group>
          <TextInput label="Email" type="email" required autoComplete="username" {...field('email')} />
          <PasswordInput
            label="Password"
            description={PASSWORD_RULE}
            required
            autoComplete="new-password"
            {...field('password')}
          />
          <TextInput
            label="Workspace"
            description="The name of your company or team"
            required
            {...field('workspace_name')}
          />
          <Group grow gap="sm">
            <Select
              label="Time zone"
              searchable
              allowDeselect={false}
              data={ZONES.includes(form.timezone) ? ZONES : [form.timezone, ...ZONES]}
              value={form.timezone}
              onChange={(timezone) => timezone && setForm({ ...form, timezone })}
            />
            <Select
              label="Currency"
              searchable
              allowDeselect={false}
              data={CURRENCIES}
              value={form.currency}
              onChange={(currency) => currency && setForm({ ...form, currency })}
            />
          </Group>
          <Checkbox
            label="Add demo data to look around"
            checked={form.demo_data}
            onChange={(event) => setForm({ ...form, demo_data: event.currentTarget.checked })}
          />
          {send.error && !isPlaced(send.error, [...FIELDS]) && <ErrorMessage error={send.error} />}
          <Button type="submit" size="sm" loading={send.isPending}>
            Create workspace
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  )
}
