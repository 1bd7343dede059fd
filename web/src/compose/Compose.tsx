import { Alert, Group, Select, Stack } from '@mantine/core'
import { post } from '../api/client'
import { refresh } from '../api/query'
import type { Contact, Message } from '../api/types'
import { choiceOf, options } from '../fields/spec'
import { CONVERSATION_CHOICES } from '../generated/fields'
import { personName } from '../session'
import { Link } from '../shell/Link'
import { Modal } from '../shell/Modal'
import { notify } from '../shell/notices'
import { useAccounts } from './accounts'
import { Composer } from './Composer'
import { QUEUED } from './Scheduled'
import { weekdayTime } from './SendLater'
import { useMessageDraft } from './useMessageDraft'

/** A message to a contact, through one of the connected accounts. */
export function Compose({ contact, opened, onClose }: { contact: Contact; opened: boolean; onClose: () => void }) {
  const writing = useMessageDraft(contact.id, null, opened)
  const { channel } = writing.draft
  const { usable, standard, isKnown } = useAccounts(channel, opened)
  const account = usable.find((one) => one.id === writing.draft.accountId) ?? standard
  const isMissing = isKnown && usable.length === 0
  return (
    <Modal opened={opened} onClose={onClose} title={`Message to ${personName(contact)}`} size="lg">
      <Stack gap="sm">
        <Group grow gap="sm">
          <Select
            label="Channel"
            allowDeselect={false}
            data={options(...CONVERSATION_CHOICES.channel)}
            value={channel}
            onChange={(value) =>
              writing.change({ channel: choiceOf(CONVERSATION_CHOICES.channel, value) ?? 'email', accountId: null })
            }
          />
          {!isMissing && (
            <Select
              label="From"
              allowDeselect={false}
              data={usable.map((one) => ({
                value: one.id,
                label: one.address ? `${one.name} (${one.address})` : one.name,
              }))}
              value={account?.id ?? null}
              onChange={(accountId) => writing.change({ accountId })}
            />
          )}
        </Group>
        {isMissing ? (
          <NoAccount channel={channel} />
        ) : (
          <Composer
            contactId={contact.id}
            channel={channel}
            account={account}
            writing={writing}
            hasSubject
            label="Message"
            minRows={6}
            send={(written) =>
              post('/messages', {
                ...written,
                contact_id: contact.id,
                channel,
                ...(account ? { account_id: account.id } : {}),
              })
            }
            onSent={({ send_at }) => {
              refresh('conversations', 'messages', 'timeline')
              notify(send_at ? `Scheduled for ${weekdayTime(send_at)}` : QUEUED)
              onClose()
            }}
            onDiscard={onClose}
          />
        )}
      </Stack>
    </Modal>
  )
}

/** What a channel sends with, in words. */
const SENDERS: Record<Message['channel'], string> = {
  email: 'mailbox',
  network: 'account of a professional network',
  chat: 'chat account',
}

/** The way out for users who have no account to send with. An unsent text is kept until then. */
const NoAccount = ({ channel }: { channel: Message['channel'] }) => (
  <Alert variant="outline" color="gray" role="status">
    You have no {SENDERS[channel]} to send with yet. Connect one in{' '}
    <Link to="/settings/accounts">Settings › Connected accounts</Link>, then write your message here.
  </Alert>
)
