import { Alert, Anchor, Button, Checkbox, PasswordInput, Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError, postValues, put } from '../api/client'
import { refresh, useList } from '../api/query'
import type { ConnectedAccount } from '../api/types'
import { personName, useSession } from '../session'
import { Link } from '../shell/Link'
import { Linked } from '../shell/Linked'
import { notify, notifyError } from '../shell/notices'
import { LIMITS, LimitFields, limitsBody, limitsOf, VisibilityField } from './accountParts'
import { ServerFields, Why } from './MailServer'
import { type Failure, failureOf, type ServerField } from './mailFailures'
import { addressOf, PROVIDERS, partsOf, providerOf, type ServerForm } from './mailProviders'
import { leave, useProviders } from './Oauth'
import { Dialog } from './parts'

type Part = 'smtp' | 'imap'

type Props = {
  /** The mailbox to change; a new one without it. */
  account?: ConnectedAccount
  /** The servers of the mailbox, without secrets: `smtp://mail.example.com:587`. */
  servers?: { smtp?: string | null; imap?: string | null }
  onClose: () => void
}

const BLANK: Record<Part, ServerForm> = {
  smtp: { host: '', port: 465, security: 'tls' },
  imap: { host: '', port: 993, security: 'tls' },
}

const blank = (part: Part, stored: string | null | undefined): ServerForm => ({
  ...BLANK[part],
  ...(stored ? partsOf(stored) : {}),
})

const fold = (address: string | null | undefined) => (address ?? '').trim().toLowerCase()

/** The failures of a refused request, each with its server. */
function failuresOf(error: unknown): (Failure & { part: Part })[] {
  if (!(error instanceof ApiError)) return []
  return error.problems.flatMap(({ field, reason }) => {
    const part = field.split('.')[0]
    return part === 'smtp' || part === 'imap' ? [{ part, ...failureOf(reason) }] : []
  })
}

/** Connects or changes a mailbox: the address first, from which the servers follow for the commonest providers. */
export function Mailbox({ account, servers, onClose }: Props) {
  const session = useSession()
  const [name, setName] = useState(account?.name ?? personName(session.user))
  const [address, setAddress] = useState(account?.address ?? '')
  const [chosen, setChosen] = useState<string | null>(null)
  const [stored] = useState({ smtp: blank('smtp', servers?.smtp), imap: blank('imap', servers?.imap) })
  const [server, setServer] = useState(stored)
  const [user, setUser] = useState<string>()
  const [password, setPassword] = useState('')
  const [isSeparate, setSeparate] = useState(false)
  const [inbound, setInbound] = useState({ user: '', password: '' })
  const [limits, setLimits] = useState(limitsOf(account ?? {}))
  const [fileSent, setFileSent] = useState(account?.file_sent ?? 'auto')
  const [visibility, setVisibility] = useState(account?.visibility ?? 'workspace')
  const others = useList('/connected-accounts').data?.data ?? []
  const same = account
    ? undefined
    : others.find(
        (one) => one.provider === 'email' && one.status !== 'disconnected' && fold(one.address) === fold(address),
      )
  const provider = PROVIDERS.find((one) => one.name === chosen)
  const configured = useProviders() ?? []
  // The way without a password, if the operator set it up.
  const oauth = provider?.oauth && configured.some((one) => one.name === provider.oauth?.name) && provider.oauth
  const [isByPassword, setByPassword] = useState(false)
  const isByOauth = Boolean(oauth) && !isByPassword
  const [leaving, setLeaving] = useState(false)
  // The user is the address until another one is entered; that of a connected mailbox is not known here.
  const sender = user ?? (account ? '' : address.trim())

  const choose = (next: string | null) => {
    setChosen(next)
    const found = PROVIDERS.find((one) => one.name === next)
    if (found) setServer({ smtp: found.smtp, imap: found.imap })
  }
  const type = (next: string) => {
    setAddress(next)
    const found = providerOf(next)
    if (found && found.name !== chosen) choose(found.name)
    // Another domain does not have the servers of the provider before.
    else if (!found && provider && /@.+\../.test(next)) {
      setChosen(null)
      setServer(BLANK)
    }
  }
  const change = (part: Part, next: ServerForm) => setServer({ ...server, [part]: next })
  /** An address with a password in it is taken apart, so that the password is hidden. */
  const paste = (part: Part, text: string) => {
    const parts = partsOf(text)
    if (!parts) return false
    const { user: given, password: secret, ...rest } = parts
    change(part, { ...server[part], ...rest })
    const isOther = part === 'imap' && (password !== '' || isSeparate) && (given !== sender || secret !== password)
    if (isOther && (given || secret)) {
      setSeparate(true)
      setInbound({ user: given ?? '', password: secret ?? '' })
    } else {
      if (given) setUser(given)
      if (secret) setPassword(secret)
    }
    return true
  }
  /** Goes to the page of the provider, which sends the user back. */
  const proceed = async () => {
    if (!oauth) return
    setLeaving(true)
    try {
      const mailbox = address.trim()
      await leave({ provider: oauth.name, name: name.trim(), ...(mailbox ? { address: mailbox } : {}) })
    } catch (error) {
      setLeaving(false)
      throw error
    }
  }
  const addresses = () => {
    const logins = { smtp: { user: sender, password }, imap: isSeparate ? inbound : { user: sender, password } }
    const body: Partial<Record<Part, string | null>> = {}
    for (const part of ['smtp', 'imap'] as const) {
      const { user: given, password: secret } = logins[part]
      const isSame = JSON.stringify(server[part]) === JSON.stringify(stored[part])
      if (account && isSame && !given && !secret) continue
      if (server[part].host.trim()) body[part] = addressOf(part, server[part], logins[part])
      else if (account && stored[part].host) body[part] = null
    }
    return body
  }
  const save = async () => {
    const body = {
      name,
      ...addresses(),
      ...limitsBody(limits, Boolean(account)),
      file_sent: fileSent,
      visibility,
    }
    if (account) await put(`/dashboard/accounts/${account.id}`, body)
    else
      await postValues('/dashboard/accounts', { ...body, provider: 'email', address: address.trim() }).catch(
        (error) => {
          // Somebody else may have connected the mailbox meanwhile.
          refresh('connected-accounts')
          throw error
        },
      )
    refresh('connected-accounts', 'accounts')
    notify(account ? 'Saved' : 'Connected')
  }
  return (
    <Dialog
      title={account ? `Edit ${account.name}` : 'Connect a mailbox'}
      action={account ? 'Save' : isByOauth ? undefined : 'Connect and test'}
      size={560}
      isBlocked={Boolean(same)}
      onClose={onClose}
      onSave={isByOauth ? proceed : save}
      fields={['name', 'address', 'smtp', 'imap', 'smtp.password', 'imap.password', 'visibility', ...LIMITS]}
    >
      {(problem, error) => {
        const failures = failuresOf(error)
        const at = (part: Part, field: ServerField): ReactNode => {
          const found = failures.find((one) => one.part === part && one.field === field)
          return found && <Why failure={found} field={part} />
        }
        const note = oauth ? oauth.note : provider?.note
        const refused = at('smtp', 'password') ?? (isSeparate ? undefined : at('imap', 'password'))
        return (
          <>
            {!account && (
              <TextInput
                label="Email address"
                type="email"
                required
                data-autofocus
                autoComplete="off"
                value={address}
                onChange={(event) => type(event.currentTarget.value)}
                error={same ? <Connected account={same} onClose={onClose} /> : problem('address')}
              />
            )}
            <TextInput
              label="Name"
              description="The sender name that recipients see"
              required
              data-autofocus={account ? true : undefined}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={problem('name')}
            />
            {!account && (
              <Select
                label="Provider"
                description="Chosen by the address. Choose it yourself if your own domain is with one of them"
                placeholder="Another provider"
                clearable
                searchable
                data={PROVIDERS.map((one) => one.name)}
                value={chosen}
                onChange={choose}
              />
            )}
            {oauth && (
              <>
                <Button
                  // Enter in the address takes the first way that is offered.
                  type={isByOauth ? 'submit' : 'button'}
                  fullWidth
                  loading={leaving}
                  disabled={Boolean(same)}
                  onClick={isByOauth ? undefined : () => proceed().catch(notifyError)}
                >
                  Continue with {oauth.title}
                </Button>
                <Button
                  variant="default"
                  fullWidth
                  aria-expanded={isByPassword}
                  onClick={() => setByPassword(!isByPassword)}
                >
                  Use an app password
                </Button>
              </>
            )}
            {!isByOauth && (
              <>
                {note && (
                  <Alert variant="light" color="petrol" p={10} role="note">
                    <Linked text={note} />
                  </Alert>
                )}
                <ServerFields
                  part="smtp"
                  title="Outgoing mail"
                  server={server.smtp}
                  required
                  onChange={(next) => change('smtp', next)}
                  onPaste={(text) => paste('smtp', text)}
                  at={(field) => at('smtp', field)}
                />
                <ServerFields
                  part="imap"
                  title="Incoming mail"
                  hint="Without it replies are not seen"
                  server={server.imap}
                  onChange={(next) => change('imap', next)}
                  onPaste={(text) => paste('imap', text)}
                  at={(field) => at('imap', field)}
                />
                <TextInput
                  label="User"
                  description={account ? 'Leave it empty to keep the stored one' : 'Most often the whole address'}
                  autoComplete="off"
                  value={sender}
                  onChange={(event) => setUser(event.currentTarget.value)}
                />
                <PasswordInput
                  label="Password"
                  description={
                    account ? 'Leave it empty to keep the stored one. A new server needs both again' : undefined
                  }
                  autoComplete="new-password"
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  aria-invalid={Boolean(refused) || undefined}
                  error={refused}
                />
                <Checkbox
                  label="Use another user or password for incoming mail"
                  checked={isSeparate}
                  onChange={(event) => setSeparate(event.currentTarget.checked)}
                />
                {isSeparate && (
                  <>
                    <TextInput
                      label="User for incoming mail"
                      autoComplete="off"
                      value={inbound.user}
                      onChange={(event) => setInbound({ ...inbound, user: event.currentTarget.value })}
                    />
                    <PasswordInput
                      label="Password for incoming mail"
                      autoComplete="new-password"
                      value={inbound.password}
                      onChange={(event) => setInbound({ ...inbound, password: event.currentTarget.value })}
                      error={at('imap', 'password')}
                    />
                  </>
                )}
                <VisibilityField account={account} value={visibility} onChange={setVisibility} problem={problem} />
                <Select
                  label="Sent folder"
                  description="Many mail servers put sent mails into the Sent folder themselves"
                  allowDeselect={false}
                  data={[
                    { value: 'auto', label: 'Put sent mails there, unless the server does' },
                    { value: 'never', label: 'Leave it alone' },
                  ]}
                  value={fileSent}
                  onChange={(next) => setFileSent(next === 'never' ? 'never' : 'auto')}
                />
                <LimitFields limits={limits} onChange={setLimits} problem={problem} />
              </>
            )}
          </>
        )
      }}
    </Dialog>
  )
}

/** Says that a mailbox is connected already, and where. */
function Connected({ account, onClose }: { account: ConnectedAccount; onClose: () => void }) {
  return (
    <span role="alert">
      This mailbox is connected already:{' '}
      <Anchor component={Link} to={`/settings/accounts?open=${account.id}`} size="xs" onClick={onClose}>
        Open {account.name}
      </Anchor>
    </span>
  )
}
