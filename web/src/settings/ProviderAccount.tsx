import { PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { postValues, put } from '../api/client'
import { refresh } from '../api/query'
import type { ConnectedAccount } from '../api/types'
import { options } from '../fields/spec'
import { notify } from '../shell/notices'
import { LIMITS, LimitFields, limitsBody, limitsOf, VisibilityField } from './accountParts'
import { Dialog } from './parts'

type Props = { account?: ConnectedAccount; onClose: () => void }

/** Connects or changes an account of a professional network or a chat. */
export function ProviderAccount({ account, onClose }: Props) {
  const [provider, setProvider] = useState<string>(account?.provider ?? 'network')
  const [name, setName] = useState(account?.name ?? '')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [license, setLicense] = useState<string | null>(null)
  const [limits, setLimits] = useState(limitsOf(account ?? {}))
  const [visibility, setVisibility] = useState(account?.visibility ?? 'workspace')
  const save = async () => {
    const body = {
      name,
      ...(url && { url }),
      ...(token && { token }),
      ...limitsBody(limits, Boolean(account)),
      visibility,
    }
    if (account) await put(`/dashboard/accounts/${account.id}`, body)
    else await postValues('/dashboard/accounts', { ...body, provider, ...(license && { license_type: license }) })
    refresh('connected-accounts')
    notify(account ? 'Saved' : 'Connected')
  }
  return (
    <Dialog
      title={account ? `Edit ${account.name}` : 'Connect an account'}
      action={account ? 'Save' : 'Connect and test'}
      size={560}
      onClose={onClose}
      onSave={save}
      fields={['name', 'url', 'token', 'license_type', 'visibility', ...LIMITS]}
    >
      {(problem) => (
        <>
          {!account && (
            <Select
              label="Kind"
              data-autofocus
              allowDeselect={false}
              data={[
                { value: 'network', label: 'Professional network' },
                { value: 'chat', label: 'Chat' },
              ]}
              value={provider}
              onChange={(next) => setProvider(next ?? 'network')}
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
          <TextInput
            label="Provider’s address"
            description={account ? 'Leave it empty to keep the stored one' : undefined}
            required={!account}
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={problem('url')}
          />
          <PasswordInput
            label="Token"
            description={
              account ? 'Leave it empty to keep the stored one. A new address needs its token again' : undefined
            }
            required={!account}
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            error={problem('token')}
          />
          {provider === 'network' && !account && (
            <Select
              label="Licence"
              clearable
              data={options('classic', 'sales_navigator', 'recruiter')}
              value={license}
              onChange={setLicense}
              error={problem('license_type')}
            />
          )}
          <VisibilityField account={account} value={visibility} onChange={setVisibility} problem={problem} />
          <LimitFields limits={limits} onChange={setLimits} problem={problem} />
        </>
      )}
    </Dialog>
  )
}
