import { Button, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../api/query'
import { Modal } from '../shell/Modal'

type Props = {
  /** A name, or the number of candidates. */
  who: string
  onClose: () => void
  onReject: (reason: string | null) => void
}

export function RejectDialog({ who, onClose, onReject }: Props) {
  const reasons = useList('/reasons', { kind: 'rejection' }).data?.data ?? []
  const [reason, setReason] = useState<string | null>(null)
  return (
    <Modal opened onClose={onClose} title={`Reject ${who}`} closeButtonProps={{ 'aria-label': 'Cancel' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onReject(reason)
        }}
      >
        <Stack>
          <Select
            label="Reason"
            data-autofocus
            clearable
            data={reasons.map((one) => ({ value: one.id, label: one.name }))}
            value={reason}
            onChange={setReason}
          />
          <Button type="submit" style={{ alignSelf: 'flex-end' }}>
            Reject
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
