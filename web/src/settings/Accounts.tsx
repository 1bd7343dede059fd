import { Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { post, remove } from '../api/client'
import { refresh, useGet, useList } from '../api/query'
import type { ConnectedAccount } from '../api/types'
import { ago, count, plural } from '../fields/format'
import { Chip } from '../fields/Show'
import { humanize } from '../fields/spec'
import { ResolveUnknown } from '../sequences/ResolveUnknown'
import { useMembers, useSession } from '../session'
import { iconOf } from '../shell/icons'
import { focusOn } from '../shell/Modal'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty, Loaded } from '../shell/Page'
import { named } from './accountParts'
import { DomainCheck } from './DomainCheck'
import { Mailbox } from './Mailbox'
import { ConnectButtons, Reconnect } from './Oauth'
import { ProviderAccount } from './ProviderAccount'
import { Delete } from './parts'
import { EditSignature } from './Signature'
import classes from './settings.module.css'

/** What the open form connects or changes. */
type Edited =
  | { kind: 'mailbox'; account?: ConnectedAccount; servers?: { smtp?: string | null; imap?: string | null } }
  | { kind: 'provider'; account?: ConnectedAccount }

export function Accounts() {
  const session = useSession()
  const accounts = useList('/connected-accounts')
  const [edited, setEdited] = useState<Edited>()
  const { open } = useSearch({ from: '__root__' })
  const mine = (one: ConnectedAccount) => session.role !== 'member' || one.owner_id === session.user.user_id
  return (
    <Stack gap="md">
      <div>
        <Group gap="xs">
          <Button leftSection={<IconMail size={14} />} onClick={() => setEdited({ kind: 'mailbox' })}>
            Connect a mailbox
          </Button>
          <Button variant="default" onClick={() => setEdited({ kind: 'provider' })}>
            Connect a network or chat
          </Button>
          <ConnectButtons />
        </Group>
      </div>
      <Loaded of={accounts}>
        {() =>
          accounts.data?.data.length ? (
            accounts.data.data.map((one) => (
              <One key={one.id} account={one} may={mine(one)} isOpen={one.id === open} onEdit={setEdited} />
            ))
          ) : (
            <Empty icon={IconMail} title="No account is connected">
              Connect a mailbox to send mails and to see the replies, or a network or chat account.
            </Empty>
          )
        }
      </Loaded>
      {edited?.kind === 'mailbox' && <Mailbox {...edited} onClose={() => setEdited(undefined)} />}
      {edited?.kind === 'provider' && <ProviderAccount {...edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

type OneProps = { account: ConnectedAccount; may: boolean; isOpen: boolean; onEdit: (edited: Edited) => void }

function One({ account, may, isOpen, onEdit }: OneProps) {
  const box = useRef<HTMLDivElement>(null)
  // The form links here if the mailbox is connected already.
  useEffect(() => {
    if (!isOpen || !box.current) return
    box.current.scrollIntoView({ block: 'center' })
    focusOn(box.current)
  }, [isOpen])
  const { nameOf } = useMembers()
  const session = useSession()
  const admin = session.role !== 'member'
  const isOwn = account.owner_id === session.user.user_id
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
        if (data.status === 'error') notifyError(new Error(`The test failed. ${named(data.status_reason ?? '')}`))
        else notify(`${account.name} works`)
      }, notifyError)
      .finally(() => {
        setBusy(false)
        refresh('connected-accounts', 'accounts')
      })
  }
  const gone = account.status === 'disconnected'
  return (
    <div ref={box} role="group" aria-label={account.name} className={isOpen ? classes.open : undefined}>
      <Card title={account.name} icon={iconOf(account.provider)} actions={<Chip value={account.status} />}>
        <Text>
          {[humanize(account.provider), account.address, humanize(account.license_type ?? ''), nameOf(account.owner_id)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {account.visibility === 'owner' && (
          <Text>
            Private: only {isOwn ? 'you see' : `${nameOf(account.owner_id) || 'its former owner'} sees`} its
            conversations and messages
          </Text>
        )}
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
          {account.daily_limit ? `At most ${count(account.daily_limit)} in 24 hours` : 'No daily limit'}
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
            <Button
              variant="default"
              disabled={!details}
              onClick={() =>
                onEdit(
                  account.provider === 'email'
                    ? { kind: 'mailbox', account, servers: details }
                    : { kind: 'provider', account },
                )
              }
            >
              Edit
            </Button>
            {account.provider === 'email' && <EditSignature account={account} />}
            <Delete
              label={`Disconnect ${account.name}`}
              action="Disconnect account"
              refreshes={['connected-accounts']}
              onDelete={() => remove(`/dashboard/accounts/${account.id}`)}
            >
              Nothing is sent or received through it any more, and its password is deleted. Messages that wait to be
              sent are not sent. Messages that were sent and received stay.
            </Delete>
            {account.provider === 'email' && <DomainCheck account={account.id} />}
          </Group>
        )}
      </Card>
    </div>
  )
}
