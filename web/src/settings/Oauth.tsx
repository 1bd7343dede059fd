import { Button, Code, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { useGet } from '../api/query'
import { notifyError } from '../shell/notices'
import { Dialog } from './parts'

type Start = { provider: string; account_id?: string; address?: string; name?: string }

/** Leaves for the page of the provider, which sends the user back to /oauth/callback. */
export const leave = (start: Start) =>
  post('/dashboard/oauth/start', start).then(({ data }) => window.location.assign(data.url))

/** The providers that the operator set up. */
export const useProviders = () => useGet('/dashboard/oauth/providers').data?.data

/** Buttons for the providers that the operator set up. */
export function ConnectButtons() {
  const providers = useProviders()
  const [asked, setAsked] = useState<{ name: string; title: string }>()
  const [busy, setBusy] = useState<string>()
  if (!providers) return null
  const connect = (name: string) => {
    setBusy(name)
    leave({ provider: name }).catch((error: unknown) => {
      setBusy(undefined)
      notifyError(error)
    })
  }
  return (
    <>
      <Group gap="xs">
        {providers.map((one) => (
          <Button
            key={one.name}
            variant="default"
            loading={busy === one.name}
            onClick={() => (one.needs_address ? setAsked(one) : connect(one.name))}
          >
            Connect {one.title}
          </Button>
        ))}
      </Group>
      {providers.length === 0 && (
        <Text c="dimmed">
          To connect Google and Microsoft mailboxes without a password, the administrator of this server sets them up
          once: <Code>relata oauth add --name google</Code> or <Code>--name microsoft</Code>
        </Text>
      )}
      {asked && <AskAddress provider={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

/** For a provider that does not say which mailbox it gives access to. */
function AskAddress({ provider, onClose }: { provider: { name: string; title: string }; onClose: () => void }) {
  const [address, setAddress] = useState('')
  return (
    <Dialog
      title={`Connect ${provider.title}`}
      action="Continue"
      onClose={onClose}
      onSave={() => leave({ provider: provider.name, address: address.trim() })}
      fields={['address']}
    >
      {(problem) => (
        <TextInput
          label="Address"
          type="email"
          required
          data-autofocus
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={problem('address')}
        />
      )}
    </Dialog>
  )
}

/** For an account whose provider does not renew its access any more. */
export function Reconnect({ account, provider }: { account: string; provider: string }) {
  const known = useProviders()?.some((one) => one.name === provider)
  const [busy, setBusy] = useState(false)
  if (!known) return null
  const reconnect = () => {
    setBusy(true)
    leave({ provider, account_id: account }).catch((error: unknown) => {
      setBusy(false)
      notifyError(error)
    })
  }
  return (
    <Button loading={busy} onClick={reconnect}>
      Reconnect
    </Button>
  )
}
