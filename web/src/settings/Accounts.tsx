import { Button, Collapse, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useGet, useList } from '../api/query'
import type { ConnectedAccount } from '../api/types'
import { ago, count } from '../fields/format'
import { Chip } from '../fields/Show'
import { useMembers, useSession } from '../session'
import { Card, Empty, Loaded } from '../shell/Page'
import { done, fail } from '../shell/tell'
import { Delete, Dialog } from './parts'

type Unstored = {
  id: string
  reason: string
  sender: string | null
  subject: string | null
  received_at: string | null
}

export function Accounts() {
  const session = useSession()
  const accounts = useList<ConnectedAccount>('/connected-accounts')
  const [edited, setEdited] = useState<Partial<ConnectedAccount>>()
  const mine = (one: ConnectedAccount) => session.role !== 'member' || one.owner_id === session.user.user_id
  return (
    <Stack gap="md">
      <div>
        <Button onClick={() => setEdited({ provider: 'email' })}>Connect an account</Button>
      </div>
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
  const detail = useGet<{ status_detail?: string | null }>(
    admin && account.status === 'error' ? `/dashboard/accounts/${account.id}` : null,
  ).data?.data.status_detail
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const unstored =
    useList<Unstored>(open ? `/connected-accounts/${account.id}/unstored` : null, { limit: '50' }).data?.data ?? []
  const test = () => {
    setBusy(true)
    post<ConnectedAccount>(`/dashboard/accounts/${account.id}/test`)
      .then(({ data }) => {
        if (data.status === 'error') fail(new Error(`The test failed: ${data.status_reason}`))
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
      {account.status_reason && <Text c="red.9">{account.status_reason}</Text>}
      {account.behind_since && (
        <Text c="red.9">
          Behind: {count(account.mails_waiting)} mails waiting, the oldest since {ago(account.behind_since)}
        </Text>
      )}
      {detail && detail !== account.status_reason && <Text c="dimmed">The server’s answer: {detail}</Text>}
      <Text c="dimmed" mt={4}>
        {account.daily_limit ? `At most ${count(account.daily_limit)} in 24 hours` : 'No daily cap'}
        {account.min_gap_minutes ? `, ${account.min_gap_minutes} min between two` : ''}
        {account.ramp_up ? `, beginning with ${account.ramp_up} a day` : ''}
      </Text>
      {account.receives && (
        <Text c="dimmed">
          Looked at {ago(account.last_sync_at) || 'never'}: {count(account.mails_in_folder)} mails,{' '}
          {count(account.mails_stored)} stored
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
          <Button variant="default" loading={busy} onClick={test}>
            Test
          </Button>
          <Button variant="default" onClick={onEdit}>
            Change
          </Button>
          <Delete
            label={`Disconnect ${account.name}`}
            words={['connected-accounts']}
            onDelete={() => remove(`/dashboard/accounts/${account.id}`)}
          />
        </Group>
      )}
    </Card>
  )
}

type Form = Record<string, string | number | null>

function Edit({ account, onClose }: { account: Partial<ConnectedAccount>; onClose: () => void }) {
  const [form, setForm] = useState<Form>({
    provider: account.provider ?? 'email',
    name: account.name ?? '',
    address: account.address ?? '',
    license_type: account.license_type ?? null,
    smtp: '',
    imap: '',
    url: '',
    token: '',
    daily_limit: account.daily_limit ?? '',
    min_gap_minutes: account.min_gap_minutes ?? '',
    ramp_up: account.ramp_up ?? '',
  })
  const mail = form.provider === 'email'
  const text = (name: string) => ({
    value: String(form[name] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value }),
  })
  const number = (name: string) => ({
    value: form[name] ?? '',
    onChange: (value: string | number) => setForm({ ...form, [name]: value }),
  })
  const keep = () => {
    const wanted = mail ? ['name', 'smtp', 'imap'] : ['name', 'url', 'token']
    if (!account.id) wanted.push(mail ? 'address' : 'license_type')
    const body: Form = {}
    for (const name of [...wanted, 'daily_limit', 'min_gap_minutes', 'ramp_up']) {
      const value = form[name]
      if (value !== '' && value !== null) body[name] = value
      else if (account.id && ['daily_limit', 'min_gap_minutes', 'ramp_up'].includes(name)) body[name] = null
    }
    if (!account.id) body.provider = form.provider
    const sent = account.id ? put(`/dashboard/accounts/${account.id}`, body) : post('/dashboard/accounts', body)
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
    >
      {!account.id && (
        <Select
          label="Kind"
          allowDeselect={false}
          data={[
            { value: 'email', label: 'Email' },
            { value: 'network', label: 'Professional network' },
            { value: 'chat', label: 'Chat' },
          ]}
          value={form.provider as string}
          onChange={(provider) => setForm({ ...form, provider })}
        />
      )}
      <TextInput label="Name" description="What messages are from, as recipients read it" required {...text('name')} />
      {mail ? (
        <>
          {!account.id && <TextInput label="Address" type="email" required {...text('address')} />}
          <TextInput
            label="Outgoing mail"
            description={account.id ? 'Empty: as it is' : undefined}
            required={!account.id}
            placeholder="smtp://user:password@host:587?tls=starttls"
            autoComplete="off"
            {...text('smtp')}
          />
          <TextInput
            label="Incoming mail"
            description="Without it replies are not seen"
            placeholder="imap://user:password@host:993?tls=tls"
            autoComplete="off"
            {...text('imap')}
          />
        </>
      ) : (
        <>
          <TextInput label="Provider’s address" required={!account.id} placeholder="https://" {...text('url')} />
          <TextInput
            label="Token"
            description={account.id ? 'Empty: as it is. A new address needs its token again' : undefined}
            required={!account.id}
            autoComplete="off"
            {...text('token')}
          />
          {form.provider === 'network' && !account.id && (
            <Select
              label="Licence"
              clearable
              data={['classic', 'sales_navigator', 'recruiter']}
              value={form.license_type as string | null}
              onChange={(license_type) => setForm({ ...form, license_type })}
            />
          )}
        </>
      )}
      <Group grow gap="sm" align="flex-end">
        <NumberInput label="Most in 24 hours" min={1} {...number('daily_limit')} />
        <NumberInput label="Minutes between" min={0} {...number('min_gap_minutes')} />
        <NumberInput label="First day" min={1} {...number('ramp_up')} />
      </Group>
    </Dialog>
  )
}
