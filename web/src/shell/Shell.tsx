import { Drawer, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBook, IconBookmark, IconSearch, IconSettings } from '@tabler/icons-react'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SIGNED_OUT } from '../api/client'
import { useIsDown } from '../api/connection'
import { useLive } from '../api/live'
import { queryClient } from '../api/query'
import { allows, personName, useMaybeSession, useSession } from '../session'
import { Avatar } from './Avatar'
import { COLOR_SCHEMES, signOut } from './account'
import { BottomBar } from './BottomBar'
import { DENSITIES, useDensity } from './density'
import { help } from './help'
import { Palette } from './Palette'
import { ALL_PLACES, PLACES } from './places'
import { openPalette } from './spotlight'
import { useUnread } from './unread'
import { useJumps } from './useJumps'
import { useKeys } from './useKeys'
import { searchOf, useViews } from './views'

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
      <SharedViews onPick={onPick} />
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

/** The shared views of lists, below the places. */
function SharedViews({ onPick }: { onPick?: () => void }) {
  const session = useSession()
  const places = ALL_PLACES.filter(({ scope }) => !scope || allows(session, scope))
  const shared = useViews().flatMap((view) => {
    const place = places.find(({ to }) => to === `/${view.collection}`)
    return view.shared && place ? { view, to: place.to } : []
  })
  if (shared.length === 0) return null
  return (
    <div>
      <div className="nav-title">Shared views</div>
      {shared.map(({ view, to }) => (
        <Link
          key={view.id}
          to={to}
          search={searchOf(view)}
          className="nav-link"
          onClick={onPick}
          // The place of the list is marked; the view is marked above the list.
          activeOptions={{ exact: true, includeHash: true }}
          activeProps={{ 'data-status': undefined, 'aria-current': undefined }}
        >
          <IconBookmark size={16} />
          <span className="cut">{view.name}</span>
        </Link>
      ))}
    </div>
  )
}

function Person() {
  const session = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const navigate = useNavigate()
  const switchWorkspace = (id: string) =>
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
              <Menu.Item key={one.id} onClick={() => switchWorkspace(one.id)}>
                Go to {one.name}
              </Menu.Item>
            ))}
        <Menu.Item onClick={() => navigate({ to: '/settings/$section', params: { section: 'profile' } })}>
          Profile and sessions
        </Menu.Item>
        <Menu.Label>Appearance</Menu.Label>
        {COLOR_SCHEMES.map(({ value, label }) => (
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
  useKeys([
    ['/', () => openPalette()],
    ['shift+?', help],
    // Some keyboards have it without Shift.
    ['?', help],
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
