import { Menu, UnstyledButton } from '@mantine/core'
import { IconInbox, IconMenu2, IconPlus, IconSun, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { allows, type Scope, useSession } from '../session'
import { useUnread } from './unread'

const CREATED: { label: string; to: string; scope: Scope }[] = [
  { label: 'New contact', to: '/contacts', scope: 'contacts:write' },
  { label: 'New company', to: '/companies', scope: 'companies:write' },
  { label: 'New task', to: '/tasks', scope: 'tasks:write' },
  { label: 'New deal', to: '/deals', scope: 'deals:write' },
  { label: 'New project', to: '/projects', scope: 'projects:write' },
]

/** The navigation of a phone, within reach of the thumb. */
export function BottomBar({ onMore }: { onMore: () => void }) {
  const session = useSession()
  const navigate = useNavigate()
  const unread = useUnread()
  const created = CREATED.filter((one) => allows(session, one.scope))
  return (
    <nav className="bottom-bar" aria-label="Shortcuts">
      <Link to="/" className="bottom-link" activeOptions={{ exact: true, includeSearch: false }}>
        <IconSun size={22} />
        Today
      </Link>
      {allows(session, 'messages:read') && (
        <Link to="/inbox" className="bottom-link" activeOptions={{ includeSearch: false }}>
          <IconInbox size={22} />
          Inbox
          {unread ? <span className="signal" role="img" aria-label={`${unread} unread`} /> : null}
        </Link>
      )}
      {created.length > 0 && (
        <Menu position="top" width={200}>
          <Menu.Target>
            <UnstyledButton className="bottom-create" aria-label="Create">
              <IconPlus size={22} />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {created.map((one) => (
              <Menu.Item key={one.to} onClick={() => navigate({ to: one.to, search: { new: '1' } })}>
                {one.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {allows(session, 'contacts:read') && (
        <Link to="/contacts" className="bottom-link" activeOptions={{ includeSearch: false }}>
          <IconUsers size={22} />
          Contacts
        </Link>
      )}
      <UnstyledButton className="bottom-link" onClick={onMore}>
        <IconMenu2 size={22} />
        More
      </UnstyledButton>
    </nav>
  )
}
