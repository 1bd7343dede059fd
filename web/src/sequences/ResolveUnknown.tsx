import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh } from '../api/query'
import { plural } from '../fields/format'
import { Modal } from '../shell/Modal'
import { notify, notifyError } from '../shell/notices'
import { ErrorMessage } from '../shell/problems'

type Of = { account_id: string } | { sequence_id: string }

/** Asks whether all messages with an unknown outcome were sent, and records the answer. */
export function ResolveUnknown({ of, compact }: { of: Of; compact?: boolean }) {
  const [count, setCount] = useState<number>()
  const [busy, setBusy] = useState<boolean>()
  const [error, setError] = useState<unknown>()
  const close = () => {
    setCount(undefined)
    setError(undefined)
  }
  const ask = () =>
    post('/messages/resolve', { ...of, sent: true, dry_run: true }).then(({ data }) => {
      if (data.remaining) setCount(data.remaining)
      else notify('No outcome is unknown any more')
    }, notifyError)
  const resolve = async (sent: boolean) => {
    setBusy(sent)
    try {
      let resolved = 0
      let after: string | null | undefined
      do {
        const { data } = await post('/messages/resolve', { ...of, sent, ...(after ? { after } : {}) })
        resolved += data.resolved
        after = data.next
      } while (after)
      close()
      notify(`Resolved ${plural(resolved, 'message')}`)
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(undefined)
      refresh('enrollments', 'stats', 'sequences', 'messages', 'accounts', 'connected-accounts')
    }
  }
  return (
    <>
      <Button size={compact ? 'compact-xs' : 'sm'} variant="default" onClick={ask}>
        Resolve unknown outcomes
      </Button>
      {count !== undefined && (
        <Modal opened onClose={close} title={`Were ${plural(count, 'message')} sent?`} closeOnClickOutside={false}>
          <Stack gap="sm">
            <Text size="sm">
              The connection was lost while the mail server took them, and they are not in the Sent folder. Look whether
              they arrived. Your answer counts for all of them.
            </Text>
            <Text size="sm">
              If they were sent, their sequences continue with the next step. If they were not, sequences send them
              again: people who got them after all get them twice. Messages outside of sequences are not sent again.
            </Text>
            {error !== undefined && <ErrorMessage error={error} />}
            <Group justify="flex-end">
              <Button variant="default" data-autofocus onClick={close}>
                Cancel
              </Button>
              <Button
                variant="default"
                loading={busy === false}
                disabled={busy === true}
                onClick={(event) => event.detail < 2 && resolve(false)}
              >
                They were not sent
              </Button>
              <Button
                loading={busy === true}
                disabled={busy === false}
                onClick={(event) => event.detail < 2 && resolve(true)}
              >
                They were sent
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  )
}
