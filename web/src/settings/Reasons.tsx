import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { Reason } from '../api/types'
import { REASON_CHOICES } from '../generated/fields'
import { Card } from '../shell/Page'
import { Delete, Dialog } from './parts'

const TITLES: Record<Reason['kind'], string> = {
  rejection: 'Why candidates are rejected',
  close: 'Why deals are won',
  loss: 'Why deals are lost',
  source: 'Where deals come from',
}

export function Reasons() {
  const reasons = useList('/reasons').data?.data ?? []
  const [edited, setEdited] = useState<Partial<Reason> & Pick<Reason, 'kind'>>()
  return (
    <Stack gap="md">
      {REASON_CHOICES.kind.map((kind) => (
        <Card
          key={kind}
          title={TITLES[kind]}
          flush
          actions={
            <Button size="compact-xs" variant="default" onClick={() => setEdited({ kind })}>
              Add
            </Button>
          }
        >
          {reasons
            .filter((one) => one.kind === kind)
            .map((one) => (
              <div key={one.id} className="row-link">
                <span className="grow cut">{one.name}</span>
                <Button size="compact-xs" variant="default" onClick={() => setEdited(one)}>
                  Edit
                </Button>
                <Delete
                  label={`Delete ${one.name}`}
                  action="Delete reason"
                  refreshes={['reasons']}
                  onDelete={() => remove(`/dashboard/reasons/${one.id}`)}
                >
                  It can’t be chosen any more. Records that have it keep it.
                </Delete>
              </div>
            ))}
        </Card>
      ))}
      {edited && <Edit reason={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

function Edit({ reason, onClose }: { reason: Partial<Reason> & Pick<Reason, 'kind'>; onClose: () => void }) {
  const [name, setName] = useState(reason.name ?? '')
  const save = () =>
    (reason.id
      ? put(`/dashboard/reasons/${reason.id}`, { name })
      : post('/dashboard/reasons', { kind: reason.kind, name })
    ).then(() => refresh('reasons'))
  return (
    <Dialog title={reason.id ? 'Change reason' : 'New reason'} action="Save" onClose={onClose} onSave={save}>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Dialog>
  )
}
