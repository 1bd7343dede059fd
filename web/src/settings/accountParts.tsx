import { Group, NumberInput, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ConnectedAccount } from '../api/types'
import { useMembers, useSession } from '../session'

const PARTS: Record<string, string> = {
  smtp: 'Outgoing mail',
  imap: 'Incoming mail',
  url: 'Provider’s address',
  token: 'Token',
}

/** `smtp: …` as `Outgoing mail: …`. */
export const named = (reason: string) => reason.replace(/^(smtp|imap|url|token): /, (_, part) => `${PARTS[part]}: `)

/** How much an account may send; empty fields are empty texts. */
export type Limits = Record<(typeof LIMITS)[number], number | string>

export const LIMITS = ['daily_limit', 'min_gap_minutes', 'ramp_up'] as const

export const limitsOf = (account: Partial<ConnectedAccount>): Limits => ({
  daily_limit: account.daily_limit ?? '',
  min_gap_minutes: account.min_gap_minutes ?? '',
  ramp_up: account.ramp_up ?? '',
})

/** The limits as members of a request; only a change can remove one. */
export const limitsBody = (limits: Limits, isChange: boolean) =>
  Object.fromEntries(
    LIMITS.filter((name) => isChange || limits[name] !== '').map((name) => [
      name,
      limits[name] === '' ? null : limits[name],
    ]),
  )

type Props = { limits: Limits; onChange: (next: Limits) => void; problem: (field: string) => ReactNode }

export function LimitFields({ limits, onChange, problem }: Props) {
  const field = (name: keyof Limits) => ({
    value: limits[name],
    onChange: (value: string | number) => onChange({ ...limits, [name]: value }),
    error: problem(name),
  })
  return (
    <Group grow gap="sm" align="flex-start">
      <NumberInput
        label="Maximum in 24 hours"
        description="Messages through this account. Leave it empty for no limit"
        min={1}
        {...field('daily_limit')}
      />
      <NumberInput
        label="Minimum gap (minutes)"
        description="Between two messages. Leave it empty for none"
        min={0}
        {...field('min_gap_minutes')}
      />
      <NumberInput
        label="First day"
        description="Messages on the first day. Every further day adds as many"
        min={1}
        {...field('ramp_up')}
      />
    </Group>
  )
}

type Visibility = ConnectedAccount['visibility']

type VisibilityProps = {
  /** The account to change; a new one without it. */
  account?: ConnectedAccount
  value: Visibility
  onChange: (next: Visibility) => void
  problem: (field: string) => ReactNode
}

/** Who sees the conversations and messages of an account. Its owner alone can change it. */
export function VisibilityField({ account, value, onChange, problem }: VisibilityProps) {
  const session = useSession()
  const { nameOf } = useMembers()
  const isOwn = !account || account.owner_id === session.user.user_id
  return (
    <Select
      label="Who sees its messages"
      description={isOwn ? undefined : `Only ${nameOf(account.owner_id)} can change this`}
      allowDeselect={false}
      disabled={!isOwn}
      data={[
        { value: 'workspace', label: 'All members of the workspace' },
        { value: 'owner', label: isOwn ? 'Only me' : `Only ${nameOf(account.owner_id)}` },
      ]}
      value={value}
      onChange={(next) => onChange(next === 'owner' ? 'owner' : 'workspace')}
      error={problem('visibility')}
    />
  )
}
