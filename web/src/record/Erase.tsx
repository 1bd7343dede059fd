import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useGet } from '../api/query'
import type { Contact } from '../api/types'
import { personName } from '../session'
import { Modal } from '../shell/Modal'

type Props = {
  /** The title, such as `Erase Ada Lovelace?` */
  title: string
  /** What the user types to confirm. */
  confirmation: string
  /** What goes with the records. */
  removed: string[]
  /** What stays. */
  stays: string
  erase: () => Promise<unknown>
  onClose: () => void
  /** Warnings. */
  children?: ReactNode
}

export const REMOVED_WITH_CONTACT = [
  'The contact, its notes, files and CV, and tasks that are only about it',
  'Its conversations with all messages and attachments',
  'Its place in projects, deals and sequences, and what waits to be sent',
  'Its values in the history, in imports and in logs',
]

export const ADDRESSES_STAY_REFUSED =
  'Email addresses, phone numbers and profiles are refused from then on: nothing is sent to them, and no import or reply brings the person back.'

export const COMPANY_IS_REMOVED_FROM = 'Contacts, deals and projects of an erased company stay without it.'

export const REMOVED_WITH_COMPANY = [
  'The company, its notes, files, and tasks that are only about it',
  'Its values in the history, in imports and in logs',
]

/** Asks before records are erased, which can't be undone. */
export function EraseDialog({ title, confirmation, removed, stays, erase, onClose, children }: Props) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const confirmed = typed.trim().toLowerCase() === confirmation.trim().toLowerCase()
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!confirmed || busy) return
          setBusy(true)
          erase().finally(() => setBusy(false))
        }}
      >
        <Stack gap="sm">
          <Text size="sm">Erasing can’t be undone. This is removed for good:</Text>
          <List size="sm">
            {removed.map((one) => (
              <List.Item key={one}>{one}</List.Item>
            ))}
          </List>
          <Text size="sm">{stays}</Text>
          {children}
          <TextInput
            label={`Type “${confirmation}” to be sure`}
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!confirmed} loading={busy}>
              Erase for good
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Other contacts with the same address are other records, and stay. */
export function SameAddress({ contact }: { contact: Contact }) {
  const addresses = contact.emails.map((one) => one.email).slice(0, 20)
  const found = useGet(addresses.length ? '/contacts' : null, { email: [`in.(${addresses.join(',')})`], limit: 5 })
  const others = found.data?.data.filter((one) => one.id !== contact.id) ?? []
  if (!others.length) return null
  return (
    <Alert color="yellow" title="Another contact has the same address">
      {others.map(personName).join(', ')}: erasing does not remove{' '}
      {others.length === 1 ? 'this record' : 'these records'}. If it is the same person, merge them first.
    </Alert>
  )
}
