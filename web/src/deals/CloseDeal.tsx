import { Button, Group, NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useAction, useList } from '../api/query'
import type { Deal } from '../api/types'
import { today } from '../fields/format'
import { choiceOf, options } from '../fields/spec'
import { DEAL_CHOICES } from '../generated/fields'
import { Modal } from '../shell/Modal'
import { notifyWithUndo } from '../shell/notices'
import { ErrorMessage } from '../shell/problems'

const ENDINGS = DEAL_CHOICES.status.filter((one) => one !== 'open')
export type Ending = (typeof ENDINGS)[number]

/** Closes a deal as won, lost or disqualified, with the signed amount or the reason. */
export function CloseDeal({ deal, as = 'won', onClose }: { deal: Deal; as?: Ending; onClose: () => void }) {
  const [status, setStatus] = useState<Ending>(as)
  const [signed, setSigned] = useState<number | string>(deal.amount ?? '')
  const [date, setDate] = useState(today())
  const [reason, setReason] = useState<string | null>(null)
  const kind = status === 'won' ? 'close' : 'loss'
  const reasons = useList('/reasons', { kind }).data?.data ?? []
  const close = useAction(
    () =>
      post(`/deals/${deal.id}/close`, {
        status,
        ...(date ? { actual_close_date: date } : {}),
        ...(status === 'won' && signed !== '' ? { signed_amount: Number(signed) } : {}),
        ...(reason ? { [kind === 'close' ? 'close_reason_id' : 'loss_reason_id']: reason } : {}),
      }),
    () => {
      refresh('deals', 'deal-pipelines', 'timeline')
      onClose()
      notifyWithUndo(
        `“${deal.title}” is ${status}`,
        () => post(`/deals/${deal.id}/reopen`).then(() => refresh('deals', 'deal-pipelines')),
        deal.id,
      )
    },
  )
  return (
    <Modal opened onClose={onClose} title={`Close “${deal.title}”`} closeButtonProps={{ 'aria-label': 'Cancel' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          close.mutate(undefined)
        }}
      >
        <Stack gap="sm">
          <SegmentedControl
            aria-label="How it ended"
            data={options(...ENDINGS)}
            value={status}
            onChange={(next) => {
              setStatus(choiceOf(ENDINGS, next) ?? 'won')
              setReason(null)
            }}
          />
          {status === 'won' && (
            <NumberInput
              label={`Signed amount (${deal.currency})`}
              min={0}
              decimalScale={4}
              hideControls
              value={signed}
              onChange={setSigned}
            />
          )}
          <Select
            label="Reason"
            clearable
            data={reasons.map((one) => ({ value: one.id, label: one.name }))}
            value={reason}
            onChange={setReason}
          />
          <TextInput
            label="Closed on"
            type="date"
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
          {close.error && <ErrorMessage error={close.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={close.isPending}>
              Close deal
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
