import { Drawer, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import {
  IconBook,
  IconBriefcase,
  IconBuilding,
  IconCircleCheck,
  IconCopy,
  IconFileImport,
  IconInbox,
  IconSearch,
  IconSend,
  IconSettings,
  IconSparkles,
  IconSun,
  IconTargetArrow,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { type ComponentType, useEffect } from 'react'
import { post, SIGNED_OUT } from '../api/client'
import { useIsDown } from '../api/connection'
import { useLive } from '../api/live'
import { queryClient } from '../api/query'
import { allows, personName, type Scope, useMaybeSession, useSession } from '../session'
import { Avatar } from './Avatar'
import { BottomBar } from './BottomBar'
import { DENSITIES, useDensity } from './density'
import { forgetDrafts } from './drafts'
import { Palette } from './Palette'
import { help, useJumps } from './Shortcuts'
import { openPalette } from './spotlight'
import { fail } from './tell'
import { useUnread } from './unread'

type Place = { to: string; label: string; key?: string; icon: ComponentType<{ size?: number }>; scope?: Scope }

export const PLACES: { title?: string; places: Place[] }[] = [
  {
    places: [
      { to: '/', label: 'Today', key: 'h', icon: IconSun },
      { to: '/inbox', label: 'Inbox', key: 'i', icon: IconInbox, scope: 'messages:read' },
      { to: '/tasks', label: 'Tasks', key: 't', icon: IconCircleCheck, scope: 'tasks:read' },
    ],
  },
  {
    title: 'Records',
    places: [
      { to: '/contacts', label: 'Contacts', key: 'c', icon: IconUsers, scope: 'contacts:read' },
      { to: '/companies', label: 'Companies', key: 'o', icon: IconBuilding, scope: 'companies:read' },
      { to: '/deals', label: 'Deals', key: 'd', icon: IconTargetArrow, scope: 'deals:read' },
      { to: '/projects', label: 'Projects', key: 'p', icon: IconBriefcase, scope: 'projects:read' },
    ],
  },
  {
    title: 'Outreach',
    places: [
      { to: '/sequences', label: 'Sequences', key: 's', icon: IconSend, scope: 'sequences:read' },
      { to: '/sourcing', label: 'Sourcing', key: 'r', icon: IconUserSearch, scope: 'sourcing:read' },
      { to: '/enrichment', label: 'Enrichment', key: 'e', icon: IconSparkles, scope: 'enrichment:read' },
    ],
  },
  {
    title: 'Data',
    places: [
      { to: '/import', label: 'Import', key: 'm', icon: IconFileImport, scope: 'contacts:write' },
      { to: '/duplicates', label: 'Duplicates', key: 'u', icon: IconCopy, scope: 'contacts:read' },
    ],
  },
]

/** All places, in the order of the navigation. */
const ALL_PLACES = PLACES.flatMap((group) => group.places)

function NavLinks({ onPick }: { onPick?: () => void }) {
  const session = useSession()
  const unread = useUnread()
  return (
    <>
      {PLACES.map((group) => (
        <div key={group.title ?? 'first'}>
          {group.title && <div className="nav-title">{group.title}</div>}
          {group.places
            .filter((place) => !place.scope || allows(session, place.scope))
            .map((place) => (
              <Link
                key={place.to}
                to={place.to}
                className="nav-link"
                onClick={onPick}
                activeOptions={{ exact: place.to === '/', includeSearch: false }}
              >
                <place.icon size={16} />
                {place.label}
                {place.to === '/inbox' && unread ? (
                  <span className="nav-count">
                    <span className="signal" />
                    {unread}
                  </span>
                ) : null}
              </Link>
            ))}
        </div>
      ))}
      <div className="grow" style={{ minHeight: 12 }} />
      <Link to="/settings" className="nav-link" onClick={onPick} activeOptions={{ includeSearch: false }}>
        <IconSettings size={16} />
        Settings
      </Link>
      <a href="/docs/" className="nav-link" target="_blank" rel="noreferrer">
        <IconBook size={16} />
        API reference
      </a>
      <Person />
    </>
  )
}

export const signOut = () =>
  post('/dashboard/sign-out').then(() => {
    forgetDrafts()
    window.dispatchEvent(new Event(SIGNED_OUT))
  }, fail)

export const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const

function Person() {
  const session = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const navigate = useNavigate()
  const turn = (id: string) =>
    fetch('/dashboard/session', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ workspace_id: id }),
    }).then(() => window.location.assign('/'))
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className="nav-link" aria-label="Account">
          <Avatar name={personName(session.user) || session.user.email} />
          <span className="cut">{personName(session.user) || session.user.email}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.workspace.name}</Menu.Label>
        {session.workspaces.length > 1 &&
          session.workspaces
            .filter((one) => one.id !== session.workspace.id)
            .map((one) => (
              <Menu.Item key={one.id} onClick={() => turn(one.id)}>
                Go to {one.name}
              </Menu.Item>
            ))}
        <Menu.Item onClick={() => navigate({ to: '/settings/$section', params: { section: 'profile' } })}>
          Profile and sessions
        </Menu.Item>
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(({ value, label }) => (
          <Menu.Item
            key={value}
            onClick={() => setColorScheme(value)}
            rightSection={value === colorScheme ? '✓' : null}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Label>Rows</Menu.Label>
        {DENSITIES.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => setDensity(value)} rightSection={value === density ? '✓' : null}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={help}>Keyboard shortcuts</Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function Shell() {
  const session = useMaybeSession()
  const navigate = useNavigate()
  const here = useRouterState({ select: (state) => state.location.href })
  const [open, nav] = useDisclosure(false)
  useLive(Boolean(session))
  const down = useIsDown()
  useJumps(ALL_PLACES)
  useHotkeys([
    ['/', () => openPalette()],
    ['shift+?', help],
  ])
  useEffect(() => {
    const leave = () => {
      queryClient.clear()
      navigate({ to: '/sign-in', search: { next: here } })
    }
    window.addEventListener(SIGNED_OUT, leave)
    return () => window.removeEventListener(SIGNED_OUT, leave)
  }, [navigate, here])
  if (!session) return null
  return (
    <>
      <a href="#main" className="skip">
        Skip to content
      </a>
      <div className="shell">
        <nav className="nav nav-side" aria-label="Main">
          <Head />
          <NavLinks />
        </nav>
        <main className="main" id="main">
          <div className="offline" role="status">
            {down && 'No connection. Trying again…'}
          </div>
          <Outlet />
        </main>
        <BottomBar onMore={nav.open} />
      </div>
      <Drawer
        opened={open}
        onClose={nav.close}
        size={250}
        title={session.workspace.name}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <nav aria-label="Main" style={{ display: 'flex', flexDirection: 'column' }}>
          <NavLinks onPick={nav.close} />
        </nav>
      </Drawer>
      <Palette />
    </>
  )
}

function Head() {
  const session = useSession()
  return (
    <>
      <div className="nav-head">
        <img src="/icon.svg" alt="" className="mark" />
        <span className="cut" title={session.workspace.name}>
          {session.workspace.name}
        </span>
      </div>
      <UnstyledButton className="nav-search" aria-label="Search and commands" onClick={() => openPalette()}>
        <IconSearch size={16} />
        <span className="grow">Search</span>
        <span className="keyed">Ctrl K</span>
      </UnstyledButton>
    </>
  )
}
