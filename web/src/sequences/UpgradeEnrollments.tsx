import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client'
import { keyOf, refresh } from '../api/query'
import type { WholeSequence } from '../api/types'
import { people } from '../fields/format'
import { Modal } from '../shell/Modal'
import { notify, notifyError } from '../shell/notices'
import { ErrorMessage } from '../shell/problems'
import { type Refusal, Refused } from './Refused'

type Result = { upgraded: number; refused: Refusal[] }

/** Moves everybody to the present steps, or only tells who would be moved. */
async function upgrade(sequenceId: string, dry_run: boolean): Promise<Result> {
  const result: Result = { upgraded: 0, refused: [] }
  let after: string | null | undefined
  do {
    const { data } = await post(`/sequences/${sequenceId}/enrollments/upgrade`, {
      dry_run,
      ...(after ? { after } : {}),
    })
    result.upgraded += data.upgraded
    result.refused.push(...data.refused)
    after = data.next
  } while (after)
  return result
}

/** Says how many people follow earlier steps, and offers to move them. Nothing is shown if there are none. */
export function UpgradeEnrollments({ sequence: { id, version, status } }: { sequence: WholeSequence }) {
  // Enrollments can't be filtered by their version, but a dry run counts those of earlier ones.
  const path = `/sequences/${id}/enrollments/upgrade` as const
  const behind = useQuery({
    queryKey: keyOf(path, { version }),
    queryFn: () => post(path, { dry_run: true }),
    enabled: version > 1 && status !== 'archived',
  }).data?.data.remaining
  const [plan, setPlan] = useState<Result>()
  const [isDone, setDone] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const close = () => {
    setPlan(undefined)
    setDone(false)
    setError(undefined)
  }
  const look = async () => {
    setBusy(true)
    try {
      setPlan(await upgrade(id, true))
    } catch (problem) {
      notifyError(problem)
    } finally {
      setBusy(false)
    }
  }
  const move = async () => {
    setBusy(true)
    try {
      const result = await upgrade(id, false)
      if (result.upgraded > 0) notify(`Moved ${people(result.upgraded)} to the present steps`)
      if (result.refused.length === 0) close()
      else {
        setPlan(result)
        setDone(true)
      }
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
      refresh('enrollments', 'stats', 'sequences')
    }
  }
  const refused = plan?.refused.length ?? 0
  return (
    <>
      {Boolean(behind) && (
        <Alert variant="light" color="petrol" p={10} mt={8} role="note">
          <Group gap="xs">
            <Text size="sm">
              {behind === 1 ? '1 person follows' : `${people(behind ?? 0)} follow`} an earlier version of the steps.
            </Text>
            <Button size="compact-xs" variant="default" loading={busy && !plan} onClick={look}>
              Move to the present steps
            </Button>
          </Group>
        </Alert>
      )}
      {plan && (
        <Modal opened onClose={close} title={titleOf(plan, isDone)} closeOnClickOutside={false}>
          <Stack gap="sm">
            {!isDone && plan.upgraded > 0 && (
              <Text size="sm">
                They continue after the last step that they had, with version {version}. Steps that they had are not
                sent again.
              </Text>
            )}
            {refused > 0 && (
              <>
                <Text size="sm">
                  {refused === 1 ? '1 person stays' : `${people(refused)} stay`} with the earlier steps:
                </Text>
                <Refused list={plan.refused} />
              </>
            )}
            {error !== undefined && <ErrorMessage error={error} />}
            <Group justify="flex-end">
              <Button variant="default" data-autofocus onClick={close}>
                {isDone || plan.upgraded === 0 ? 'Close' : 'Cancel'}
              </Button>
              {!isDone && plan.upgraded > 0 && (
                <Button loading={busy} onClick={(event) => event.detail < 2 && move()}>
                  Move {people(plan.upgraded)}
                </Button>
              )}
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  )
}

function titleOf({ upgraded, refused }: Result, isDone: boolean) {
  if (isDone) return `${people(refused.length)} not moved`
  return upgraded > 0 ? `Move ${people(upgraded)} to the present steps?` : 'Nobody can be moved'
}
