import { Alert, Button, CopyButton, Select, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { Member } from '../api/types'
import { ago } from '../fields/format'
import { choiceOf, humanize, options } from '../fields/spec'
import { MEMBER_CHOICES } from '../generated/fields'
import { personName, useSession } from '../session'
import { ask } from '../shell/ask'
import { notify, notifyError } from '../shell/notices'
import { Card } from '../shell/Page'
import { Delete, Dialog } from './parts'
import classes from './settings.module.css'

type Role = Member['role']

const ROLES: Record<Role, string> = {
  owner: 'Owner: everything',
  admin: 'Admin: everything except plan and owners',
  member: 'Member: works with records',
}

export function Members() {
  const session = useSession()
  const navigate = useNavigate()
  const { new: adding } = useSearch({ from: '__root__' })
  const members = useList('/dashboard/members').data?.data ?? []
  const invitations = useList('/dashboard/invitations').data?.data ?? []
  const [link, setLink] = useState<string>()
  const set = (next?: string) => navigate({ to: '.', search: { new: next }, replace: true })
  const roles = MEMBER_CHOICES.role.filter((role) => session.role === 'owner' || role !== 'owner')
  const changeRole = async (member: Member, role: Role | undefined) => {
    if (!role || role === member.role) return
    const isDemoted = role === 'member'
    const question = {
      title: `Make ${personName(member)} a member?`,
      text: 'The invitations that they made end. They keep their API keys and records.',
      action: 'Make a member',
    }
    if (isDemoted && !(await ask(question))) return
    await put(`/dashboard/members/${member.user_id}`, { role }).then(() => {
      refresh('members', 'invitations')
      notify(`${personName(member)} is now ${role === 'member' ? 'a' : 'an'} ${role}`)
    }, notifyError)
  }
  return (
    <Stack gap="md">
      {link && (
        <Alert
          color="gray"
          variant="outline"
          title="Send this link to the person you invited"
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setLink(undefined)}
        >
          <Text size="sm" mb="xs">
            It is shown this once, works once and lasts a week. An older link for the same address has stopped working.
          </Text>
          <div className={`grammar ${classes.secret}`} data-testid="invitation">
            {link}
          </div>
          <CopyButton value={link}>
            {({ copied, copy }) => (
              <Button mt="xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
        </Alert>
      )}
      <Card title="Members" flush actions={<Button onClick={() => set('1')}>Invite</Button>}>
        {members.map((one) => (
          <div key={one.user_id} className="row-link">
            <div className="grow">
              <div style={{ fontWeight: 600 }}>{personName(one)}</div>
              <div className="dim cut">{one.email}</div>
            </div>
            <Select
              size="xs"
              w={120}
              aria-label={`Role of ${personName(one)}`}
              allowDeselect={false}
              disabled={one.user_id === session.user.user_id || (one.role === 'owner' && session.role !== 'owner')}
              data={options(...(one.role === 'owner' ? MEMBER_CHOICES.role : roles))}
              value={one.role}
              onChange={(role) => changeRole(one, choiceOf(MEMBER_CHOICES.role, role))}
            />
            {one.user_id !== session.user.user_id && (one.role !== 'owner' || session.role === 'owner') && (
              <Delete
                label={`Remove ${personName(one)}`}
                action="Remove member"
                refreshes={['members', 'invitations', 'keys', 'accounts']}
                onDelete={() =>
                  remove(`/dashboard/members/${one.user_id}`).then(() => notify(`${personName(one)} was removed`))
                }
              >
                They are signed out of this workspace. Their API keys are revoked, and the invitations that they made
                end. The mailboxes and other accounts that they connected are disconnected: pending messages there
                notifyError, and sequences that use them wait. Records that they own stay.
              </Delete>
            )}
          </div>
        ))}
      </Card>
      {invitations.length > 0 && (
        <Card title="Invited" flush>
          {invitations.map((one) => (
            <div key={one.id} className="row-link">
              <span className="grow cut">{one.email}</span>
              <span>{humanize(one.role)}</span>
              <span className="dim">{ago(one.created_at)}</span>
              <Delete
                label={`Withdraw the invitation of ${one.email}`}
                action="Withdraw invitation"
                refreshes={['invitations']}
                onDelete={() => remove(`/dashboard/invitations/${one.id}`)}
              >
                The link that was made for them stops working.
              </Delete>
            </div>
          ))}
        </Card>
      )}
      {adding === '1' && (
        <Invite
          roles={roles}
          invited={invitations.map((one) => one.email.toLowerCase())}
          onClose={() => set(undefined)}
          onMade={(made) => {
            setLink(made)
            refresh('invitations')
          }}
        />
      )}
    </Stack>
  )
}

function Invite({
  roles,
  invited,
  onClose,
  onMade,
}: {
  roles: Role[]
  /** The addresses that have an open invitation. */
  invited: string[]
  onClose: () => void
  onMade: (link: string) => void
}) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  return (
    <Dialog
      title="Invite a member"
      action="Create link"
      onClose={onClose}
      fields={['email', 'role']}
      onSave={() => post('/dashboard/invitations', { email, role }).then((answer) => onMade(answer.data.link))}
    >
      {(problem) => (
        <>
          <TextInput
            label="Email"
            type="email"
            required
            data-autofocus
            value={email}
            error={problem('email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Select
            label="Role"
            allowDeselect={false}
            data={roles.map((value) => ({ value, label: ROLES[value] }))}
            value={role}
            error={problem('role')}
            onChange={(next) => setRole(choiceOf(MEMBER_CHOICES.role, next) ?? role)}
          />
          <Text size="sm" c="dimmed">
            You get a link to send to them. It is shown once, works once and lasts a week.
          </Text>
          {invited.includes(email.trim().toLowerCase()) && (
            <Text size="sm" role="status">
              This address is invited already. The new link replaces the older one, which stops working.
            </Text>
          )}
        </>
      )}
    </Dialog>
  )
}
