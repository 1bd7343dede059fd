import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useAction, useList } from '../api/query'
import type { Contact, Message } from '../api/types'
import { choiceOf, options } from '../fields/spec'
import { CONVERSATION_CHOICES } from '../generated/fields'
import { personName } from '../session'
import { useDraft } from '../shell/drafts'
import { Modal } from '../shell/Modal'
import { done, Words } from '../shell/tell'

/** A message to a contact, through one of the connected accounts. */
export function Compose({ contact, opened, onClose }: { contact: Contact; opened: boolean; onClose: () => void }) {
  const accounts = useList(opened ? '/connected-accounts' : null).data?.data ?? []
  const usable = accounts.filter((one) => one.status !== 'disconnected')
  const [channel, setChannel] = useState<Message['channel']>('email')
  const [account, setAccount] = useState<string | null>(null)
  const [subject, setSubject] = useDraft(`/contacts/${contact.id}/subject`)
  const [content, setContent] = useDraft(`/contacts/${contact.id}/message`)
  const send = useAction(
    () =>
      post('/messages', {
        contact_id: contact.id,
        channel,
        content,
        ...(channel === 'email' && subject ? { subject } : {}),
        ...(account ? { account_id: account } : {}),
      }),
    () => {
      setContent('')
      setSubject('')
      refresh('conversations', 'messages', 'timeline')
      done('Message queued')
      onClose()
    },
  )
  return (
    <Modal opened={opened} onClose={onClose} title={`Message to ${personName(contact)}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(undefined)
        }}
      >
        <Stack gap="sm">
          <Group grow gap="sm">
            <Select
              label="Channel"
              allowDeselect={false}
              data={options(...CONVERSATION_CHOICES.channel)}
              value={channel}
              onChange={(value) => {
                setChannel(choiceOf(CONVERSATION_CHOICES.channel, value) ?? 'email')
                setAccount(null)
              }}
            />
            <Select
              label="From"
              placeholder="Your account"
              clearable
              data={usable.filter((one) => one.provider === channel).map((one) => ({ value: one.id, label: one.name }))}
              value={account}
              onChange={setAccount}
            />
          </Group>
          {channel === 'email' && (
            <TextInput label="Subject" value={subject} onChange={(event) => setSubject(event.currentTarget.value)} />
          )}
          <Textarea
            label="Message"
            required
            autosize
            minRows={6}
            data-autofocus
            value={content}
            onChange={(event) => setContent(event.currentTarget.value)}
          />
          {send.error && <Words error={send.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={send.isPending}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
