import { Button, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useGet, useList } from '../api/query'
import { useCan, useSession } from '../session'
import { Link } from '../shell/Link'
import { notifyWithUndo } from '../shell/notices'
import { Card } from '../shell/Page'

type Step = {
  label: string
  to: string
  /** Undefined while it is not known. */
  isDone: boolean | undefined
}

/** The first steps in a workspace: shown to admins until all are done, or until the member hides them. */
export function GettingStarted() {
  const { user, workspace, role } = useSession()
  const [isHidden, setHidden] = useLocalStorage({
    // Two users of one browser don't share it.
    key: `relata-started-${user.user_id}-${workspace.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const steps = useSteps(role !== 'member' && !isHidden)
  // What is done is known at once, so that nothing appears and disappears.
  const isKnown = steps.every((one) => one.isDone !== undefined)
  if (!isKnown || steps.every((one) => one.isDone)) return null
  const hide = () => {
    setHidden(true)
    notifyWithUndo('Getting started is hidden', async () => setHidden(false))
  }
  return (
    <section aria-label="Getting started" style={{ marginBottom: 16 }}>
      <Card
        title="Getting started"
        flush
        actions={
          <Button size="compact-xs" variant="subtle" color="gray" onClick={hide}>
            Hide
          </Button>
        }
      >
        {steps.map(({ label, to, isDone }) => (
          <Link key={to} to={to} className="row-link" data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheckFilled size={16} color="var(--r-ok)" aria-hidden />
            ) : (
              <IconCircle size={16} aria-hidden />
            )}
            <span className={isDone ? 'dim' : undefined}>{label}</span>
            {isDone && <VisuallyHidden>Done</VisuallyHidden>}
          </Link>
        ))}
      </Card>
    </section>
  )
}

/** The steps that the member can take; none unless they are asked for. */
function useSteps(isOn: boolean): Step[] {
  const mayImport = useCan('contacts:write') && isOn
  const mayConnect = useCan('messages:read') && isOn
  const one = { limit: 1 }
  const contacts = useList(mayImport ? '/contacts' : null, one).data?.meta.total
  const companies = useList(mayImport ? '/companies' : null, one).data?.meta.total
  const accounts = useList(mayConnect ? '/connected-accounts' : null).data?.data
  const members = useGet(isOn ? '/workspace/members' : null).data?.data
  const invitations = useGet(isOn ? '/dashboard/invitations' : null).data?.data
  const keys = useGet(isOn ? '/dashboard/keys' : null).data?.data
  if (!isOn) return []
  return [
    mayImport && {
      label: 'Import contacts or companies',
      to: '/import',
      isDone: sum(contacts, companies),
    },
    mayConnect && {
      label: 'Connect a mailbox',
      to: '/settings/accounts',
      isDone: accounts?.some(({ status }) => status !== 'disconnected'),
    },
    {
      label: 'Invite a member',
      to: '/settings/members?new=1',
      isDone: members && invitations && members.length + invitations.length > 1,
    },
    { label: 'Create an API key', to: '/settings/api?new=1', isDone: keys && keys.length > 0 },
  ].filter((step) => step !== false)
}

/** Whether there are any records. */
const sum = (...totals: (number | null | undefined)[]) =>
  totals.some((total) => total === undefined || total === null) ? undefined : totals.some((total) => total !== 0)
