import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useGet } from '../api/query'
import { count, people } from '../fields/format'
import { ask } from '../shell/ask'
import { Modal } from '../shell/Modal'
import { notify, notifyError } from '../shell/notices'
import { type Refusal, Refused } from './Refused'

/** Lets all failed enrollments of a sequence go on, and lists those that can't. Nothing is shown if none has failed. */
export function RetryFailed({ sequenceId }: { sequenceId: string }) {
  const failed = useGet(`/sequences/${sequenceId}/enrollments`, { status: 'failed', limit: '1' }).data?.meta.total ?? 0
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal[]>([])
  const retry = async () => {
    const isSure = await ask({
      title: `Try ${people(failed)} again?`,
      text: 'Each one continues with the step that failed. Its message is sent as a new one, so correct the cause first.',
      action: 'Try again',
    })
    if (!isSure) return
    setBusy(true)
    try {
      let retried = 0
      const left: Refusal[] = []
      let after: string | null | undefined
      do {
        const { data } = await post(`/sequences/${sequenceId}/retry`, after ? { after } : {})
        retried += data.retried
        left.push(...data.refused)
        after = data.next
      } while (after)
      setRefused(left)
      if (retried > 0) notify(retried === 1 ? '1 person continues' : `${people(retried)} continue`)
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
      refresh('enrollments', 'stats', 'sequences')
    }
  }
  return (
    <>
      {failed > 0 && (
        <Button size="compact-xs" variant="default" loading={busy} onClick={retry}>
          Try {count(failed)} failed again
        </Button>
      )}
      {refused.length > 0 && (
        <Modal opened onClose={() => setRefused([])} title={`${people(refused.length)} can’t continue`}>
          <Stack gap="sm">
            <Text size="sm">Nothing is sent to them. Remove the reason, then try again.</Text>
            <Refused list={refused} />
            <Group justify="flex-end">
              <Button data-autofocus onClick={() => setRefused([])}>
                Close
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  )
}
