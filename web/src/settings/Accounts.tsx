import { Button, Collapse, Group, NumberInput, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post, postValues, put, remove } from '../api/client'
import { refresh, useGet, useList } from '../api/query'
import type { ConnectedAccount } from '../api/types'
import { ago, count, plural } from '../fields/format'
import { Chip } from '../fields/Show'
import { ResolveUnknown } from '../sequences/ResolveUnknown'
import { useMembers, useSession } from '../session'
import { Card, Empty, Loaded } from '../shell/Page'
import { done, fail } from '../shell/tell'
import { textOf } from '../values'
import { DomainCheck } from './DomainCheck'
import { ConnectButtons, Reconnect } from './Oauth'
import { Delete, Dialog } from './parts'

export function Accounts() {
  const session = useSession()
  const accounts = useList('/connected-accounts')
  const [edited, setEdited] = useState<Partial<ConnectedAccount>>()
  const mine = (one: ConnectedAccount) => session.role !== 'member' || one.owner_id === session.user.user_id
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button onClick={() => setEdited({ provider: 'email' })}>Connect an account</Button>
        <ConnectButtons />
      </Group>
      <Loaded of={accounts}>
        {() =>
          accounts.data?.data.length ? (
            accounts.data.data.map((one) => (
              <One key={one.id} account={one} may={mine(one)} onEdit={() => setEdited(one)} />
            ))
          ) : (
            <Empty title="No account is connected">
              Connect a mailbox to send mails and to see the replies, or a network or chat account.
            </Empty>
          )
        }
      </Loaded>
      {edited && <Edit account={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

function One({ account, may, onEdit }: { account: ConnectedAccount; may: boolean; onEdit: () => void }) {
  const { nameOf } = useMembers()
  const admin = useSession().role !== 'member'
  const details = useGet(may && account.status !== 'disconnected' ? `/dashboard/accounts/${account.id}` : null).data
    ?.data
  const detail = admin && account.status === 'error' ? details?.status_detail : undefined
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const unstored = useList(open ? `/connected-accounts/${account.id}/unstored` : null, { limit: '50' }).data?.data ?? []
  const test = () => {
    setBusy(true)
    post(`/dashboard/accounts/${account.id}/test`)
      .then(({ data }) => {
        if (data.status === 'error') fail(new Error(`The test failed. ${named(data.status_reason ?? '')}`))
        else done(`${account.name} works`)
      }, fail)
      .finally(() => {
        setBusy(false)
        refresh('connected-accounts', 'accounts')
      })
  }
  const gone = account.status === 'disconnected'
  return (
    <Card title={account.name} actions={<Chip value={account.status} />}>
      <Text>
        {[account.provider, account.address, account.license_type, nameOf(account.owner_id)]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {account.status_reason && <Text c="red">{named(account.status_reason)}</Text>}
      {account.behind_since && (
        <Text c="red">
          Behind: {plural(account.mails_waiting, 'mail')} waiting, the oldest since {ago(account.behind_since)}
        </Text>
      )}
      {account.filing_problem && (
        <Text c="red">Sent mails are missing in the Sent folder: {account.filing_problem}</Text>
      )}
      {!!details?.unknown_outcomes && (
        <Group gap="xs" mt={4}>
          <Text c="red">
            Nobody knows whether {plural(details.unknown_outcomes, 'message')}{' '}
            {details.unknown_outcomes === 1 ? 'was' : 'were'} sent
          </Text>
          <ResolveUnknown of={{ account_id: account.id }} compact />
        </Group>
      )}
      {detail && detail !== account.status_reason && <Text c="dimmed">The server’s answer: {named(detail)}</Text>}
      <Text c="dimmed" mt={4}>
        {account.daily_limit ? `At most ${count(account.daily_limit)} in 24 hours` : 'No daily cap'}
        {account.min_gap_minutes ? `, ${account.min_gap_minutes} min between two` : ''}
        {account.ramp_up ? `, beginning with ${account.ramp_up} a day` : ''}
      </Text>
      {account.receives && (
        <Text c="dimmed">
          {account.last_sync_at ? `Synced ${ago(account.last_sync_at)}` : 'Not synced yet'}:{' '}
          {plural(account.mails_in_folder, 'email')}, {count(account.mails_stored)} stored
          {account.mails_unstored > 0 && (
            <>
              {', '}
              <Button size="compact-xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
                {count(account.mails_unstored)} not stored
              </Button>
            </>
          )}
        </Text>
      )}
      <Collapse expanded={open}>
        <div className="card" style={{ marginTop: 8 }}>
          {unstored.map((one) => (
            <div key={one.id} className="row-link">
              <span className="cut" style={{ minWidth: 140 }}>
                {one.sender}
              </span>
              <span className="grow cut">{one.subject}</span>
              <span className="dim">{one.reason}</span>
            </div>
          ))}
        </div>
      </Collapse>
      {may && !gone && (
        <Group mt="sm" gap="xs">
          {account.status === 'error' && details?.oauth_provider && (
            <Reconnect account={account.id} provider={details.oauth_provider} />
          )}
          <Button variant="default" loading={busy} onClick={test}>
            Test
          </Button>
          <Button variant="default" onClick={onEdit}>
            Change
          </Button>
          <Delete
            label={`Disconnect ${account.name}`}
            action="Disconnect account"
            words={['connected-accounts']}
            onDelete={() => remove(`/dashboard/accounts/${account.id}`)}
          >
            Nothing is sent or received through it any more, and its password is deleted. Messages that wait to be sent
            are not sent. Messages that were sent and received stay.
          </Delete>
          {account.provider === 'email' && <DomainCheck account={account.id} />}
        </Group>
      )}
    </Card>
  )
}

type Form = Record<string, string | number | null>

const PARTS: Record<string, string> = {
  smtp: 'Outgoing mail',
  imap: 'Incoming mail',
  url: 'Provider’s address',
  token: 'Token',
}

/** `smtp: …` as `Outgoing mail: …`. */
const named = (reason: string) => reason.replace(/^(smtp|imap|url|token): /, (_, part) => `${PARTS[part]}: `)

const FIELDS = [
  'name',
  'address',
  'smtp',
  'smtp.password',
  'imap',
  'imap.password',
  'url',
  'token',
  'daily_limit',
  'min_gap_minutes',
  'ramp_up',
]

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An address with its user and password. */
function withLogin(place: string, user: string, password: string): string {
  if (!place || (!user && !password)) return place
  const [scheme, rest] = place.includes('://') ? place.split(/:\/\/(.*)/s) : ['', place]
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return scheme ? `${scheme}://${login}${rest}` : `${login}${rest}`
}

function Edit({ account, onClose }: { account: Partial<ConnectedAccount>; onClose: () => void }) {
  const [form, setForm] = useState<Form>({
    provider: account.provider ?? 'email',
    name: account.name ?? '',
    address: account.address ?? '',
    license_type: account.license_type ?? null,
    smtp: '',
    smtp_user: '',
    smtp_password: '',
    imap: '',
    imap_user: '',
    imap_password: '',
    url: '',
    token: '',
    daily_limit: account.daily_limit ?? '',
    min_gap_minutes: account.min_gap_minutes ?? '',
    ramp_up: account.ramp_up ?? '',
    file_sent: account.file_sent ?? 'auto',
  })
  const mail = form.provider === 'email'
  const text = (name: string) => ({
    value: String(form[name] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value }),
  })
  // A user and a password in the address go to their own fields, where the password is hidden.
  const place = (name: 'smtp' | 'imap') => ({
    value: String(form[name]),
    onChange: (event: { currentTarget: { value: string } }) => {
      const given = event.currentTarget.value
      const [, scheme, user, password, rest] = given.match(/^(\w+:\/\/)([^:@/?#]*):?([^@/?#]*)@(.*)$/s) ?? []
      setForm(
        scheme
          ? { ...form, [name]: scheme + rest, [`${name}_user`]: decoded(user), [`${name}_password`]: decoded(password) }
          : { ...form, [name]: given },
      )
    },
  })
  const number = (name: string) => ({
    value: form[name] ?? '',
    onChange: (value: string | number) => setForm({ ...form, [name]: value }),
  })
  const keep = () => {
    const wanted = mail ? ['name', 'smtp', 'imap'] : ['name', 'url', 'token']
    if (!account.id) wanted.push(mail ? 'address' : 'license_type')
    if (mail) wanted.push('file_sent')
    const body: Form = {}
    for (const name of [...wanted, 'daily_limit', 'min_gap_minutes', 'ramp_up']) {
      const value =
        name === 'smtp' || name === 'imap'
          ? withLogin(String(form[name]).trim(), String(form[`${name}_user`]), String(form[`${name}_password`]))
          : form[name]
      if (value !== '' && value !== null) body[name] = value
      else if (account.id && ['daily_limit', 'min_gap_minutes', 'ramp_up'].includes(name)) body[name] = null
    }
    if (!account.id) body.provider = form.provider
    const sent = account.id ? put(`/dashboard/accounts/${account.id}`, body) : postValues('/dashboard/accounts', body)
    return sent.then(() => {
      refresh('connected-accounts')
      done(account.id ? 'Saved' : 'Connected')
    })
  }
  return (
    <Dialog
      title={account.id ? `Change ${account.name}` : 'Connect an account'}
      action={account.id ? 'Save' : 'Connect and test'}
      onClose={onClose}
      onKeep={keep}
      fields={FIELDS}
    >
      {(problem) => (
        <>
          {!account.id && (
            <Select
              label="Kind"
              data-autofocus
              allowDeselect={false}
              data={[
                { value: 'email', label: 'Email' },
                { value: 'network', label: 'Professional network' },
                { value: 'chat', label: 'Chat' },
              ]}
              value={String(form.provider)}
              onChange={(provider) => setForm({ ...form, provider })}
            />
          )}
          <TextInput
            label="Name"
            description="The sender name that recipients see"
            required
            data-autofocus={account.id ? true : undefined}
            {...text('name')}
            error={problem('name')}
          />
          {mail ? (
            <>
              {!account.id && (
                <TextInput label="Address" type="email" required {...text('address')} error={problem('address')} />
              )}
              <TextInput
                label={PARTS.smtp}
                description={account.id ? 'Empty: as it is' : undefined}
                required={!account.id || !!form.smtp_user || !!form.smtp_password}
                placeholder="smtp://mail.example.com:587?tls=starttls"
                autoComplete="off"
                {...place('smtp')}
                error={problem('smtp')}
              />
              <Group grow gap="sm" align="flex-end">
                <TextInput label="User for sending" autoComplete="off" {...text('smtp_user')} />
                <PasswordInput
                  label="Password for sending"
                  autoComplete="off"
                  {...text('smtp_password')}
                  error={problem('smtp.password')}
                />
              </Group>
              <TextInput
                label={PARTS.imap}
                description={account.id ? 'Empty: as it is' : 'Without it replies are not seen'}
                required={!!form.imap_user || !!form.imap_password}
                placeholder="imap://mail.example.com:993?tls=tls"
                autoComplete="off"
                {...place('imap')}
                error={problem('imap')}
              />
              <Group grow gap="sm" align="flex-end">
                <TextInput label="User for receiving" autoComplete="off" {...text('imap_user')} />
                <PasswordInput
                  label="Password for receiving"
                  autoComplete="off"
                  {...text('imap_password')}
                  error={problem('imap.password')}
                />
              </Group>
              <Select
                label="Sent folder"
                description="Many mail servers put sent mails into the Sent folder themselves"
                allowDeselect={false}
                data={[
                  { value: 'auto', label: 'Put sent mails there, unless the server does' },
                  { value: 'never', label: 'Leave it alone' },
                ]}
                value={String(form.file_sent)}
                onChange={(file_sent) => setForm({ ...form, file_sent })}
              />
            </>
          ) : (
            <>
              <TextInput
                label={PARTS.url}
                required={!account.id}
                placeholder="https://"
                {...text('url')}
                error={problem('url')}
              />
              <PasswordInput
                label={PARTS.token}
                description={account.id ? 'Empty: as it is. A new address needs its token again' : undefined}
                required={!account.id}
                autoComplete="off"
                {...text('token')}
                error={problem('token')}
              />
              {form.provider === 'network' && !account.id && (
                <Select
                  label="Licence"
                  clearable
                  data={['classic', 'sales_navigator', 'recruiter']}
                  value={textOf(form.license_type)}
                  onChange={(license_type) => setForm({ ...form, license_type })}
                />
              )}
            </>
          )}
          <Group grow gap="sm" align="flex-start">
            <NumberInput
              label="Maximum in 24 hours"
              description="Messages through this account. Empty: no limit"
              min={1}
              {...number('daily_limit')}
              error={problem('daily_limit')}
            />
            <NumberInput
              label="Minimum gap (minutes)"
              description="Between two messages, at least. Empty: none"
              min={0}
              {...number('min_gap_minutes')}
              error={problem('min_gap_minutes')}
            />
            <NumberInput
              label="First day"
              description="Messages; every further day adds as many"
              min={1}
              {...number('ramp_up')}
              error={problem('ramp_up')}
            />
          </Group>
        </>
      )}
    </Dialog>
  )
}
