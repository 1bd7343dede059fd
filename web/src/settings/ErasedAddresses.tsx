import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError, removeWith } from '../api/client'
import { refresh } from '../api/query'
import { notify, notifyError } from '../shell/notices'
import { Card } from '../shell/Page'

/** Allows the address of an erased person again. Only hashes are stored, so the addresses can't be listed. */
export function ErasedAddresses() {
  const [typed, setTyped] = useState('')
  const [unknown, setUnknown] = useState<string>()
  const [busy, setBusy] = useState(false)
  const address = typed.trim()
  const allow = () => {
    setBusy(true)
    removeWith('/erased-addresses', { address })
      .then(
        () => {
          setTyped('')
          // An address that was suppressed is suppressed again.
          refresh('suppressions')
          notify(`${address} can be stored again`)
        },
        (error) => (error instanceof ApiError && error.status === 404 ? setUnknown(address) : notifyError(error)),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Card title="Erased addresses">
      <Stack gap="sm">
        <Text size="sm">
          When a person or a company is erased, its email addresses, phone numbers and profiles are refused from then
          on, in every form, import and reply. Relata keeps no list of them, only fingerprints. To allow an address
          again, for example because the person asks you to get in touch, type it here.
        </Text>
        <List size="sm">
          <List.Item>The erased data does not come back.</List.Item>
          <List.Item>If the person had unsubscribed, the address is suppressed again: nothing is sent to it.</List.Item>
          <List.Item>A phone number needs its country code, such as +49 30 1234567.</List.Item>
        </List>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (address && !busy) allow()
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              className="grow"
              label="Email address, phone number or profile"
              placeholder="ada@example.com"
              autoComplete="off"
              value={typed}
              error={unknown !== undefined && unknown === address && 'This address was not erased; it can be stored.'}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!address} loading={busy}>
              Allow again
            </Button>
          </Group>
        </form>
      </Stack>
    </Card>
  )
}
