import { Button, Input, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { put } from '../api/client'
import { refresh } from '../api/query'
import type { ConnectedAccount } from '../api/types'
import { SignatureView } from '../compose/Signature'
import { TextEditor } from '../compose/TextEditor'
import type { TextField } from '../compose/textField'
import { notify } from '../shell/notices'
import { Dialog } from './parts'

/** Opens the signature of an account. */
export function EditSignature({ account }: { account: ConnectedAccount }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Signature
      </Button>
      {isOpen && <Form account={account} onClose={() => setOpen(false)} />}
    </>
  )
}

function Form({ account, onClose }: { account: ConnectedAccount; onClose: () => void }) {
  const [text, setText] = useState(account.signature ?? '')
  const field = useRef<TextField>(null)
  const save = async () => {
    await put(`/dashboard/accounts/${account.id}`, { signature: text.trim() ? text : null })
    refresh('connected-accounts', 'accounts')
    notify(text.trim() ? 'Signature saved' : 'Signature removed')
  }
  return (
    <Dialog
      title={`Signature of ${account.name}`}
      action="Save"
      size={560}
      onClose={onClose}
      onSave={save}
      fields={['signature']}
    >
      {(problem) => (
        <>
          <TextEditor
            handle={field}
            label="Signature"
            isLabelShown
            formats
            minRows={4}
            maxRows={14}
            isFirst
            value={text}
            onChange={setText}
            error={problem('signature')}
          />
          <Text c="dimmed">
            Below every message that is written here. Sequences and templates place it with {'{{ sender.signature }}'}.
          </Text>
          <div>
            <Input.Label component="div">Preview</Input.Label>
            {text.trim() ? <SignatureView signature={text} /> : <Text c="dimmed">No signature</Text>}
          </div>
        </>
      )}
    </Dialog>
  )
}
