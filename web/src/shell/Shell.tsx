import {
  ActionIcon,
  Avatar,
  Drawer,
  Group,
  Kbd,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import {
  IconAddressBook,
  IconBook,
  IconBriefcase,
  IconBuilding,
  IconCheckbox,
  IconCoin,
  IconCopy,
  IconFileImport,
  IconHome,
  IconInbox,
  IconSearch,
  IconSend,
  IconSettings,
  IconSparkles,
  IconUserSearch,
} from '@tabler/icons-react'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { type ComponentType, useEffect } from 'react'
import { post, SIGNED_OUT } from '../api/client'
import { useIsDown } from '../api/connection'
import { useLive } from '../api/live'
import { queryClient, useGet } from '../api/query'
import { allows, personName, type Scope, useMaybeSession, useSession } from '../session'
import { forgetDrafts } from './drafts'
import { NavContext } from './Page'
import { openPalette, Palette } from './Palette'
import { fail } from './tell'

type Place = { to: string; label: string; key?: string; icon: ComponentType<{ size?: number }>; scope?: Scope }

export const PLACES: { title?: string; places: Place[] }[] = [
  {
    places: [
      { to: '/', label: 'Today', key: 'h', icon: IconHome },
      { to: '/inbox', label: 'Inbox', key: 'i', icon: IconInbox, scope: 'messages:read' },
      { to: '/tasks', label: 'Tasks', key: 't', icon: IconCheckbox, scope: 'tasks:read' },
    ],
  },
  {
    title: 'Records',
    places: [
      { to: '/contacts', label: 'Contacts', key: 'c', icon: IconAddressBook, scope: 'contacts:read' },
      { to: '/companies', label: 'Companies', key: 'o', icon: IconBuilding, scope: 'companies:read' },
      { to: '/deals', label: 'Deals', key: 'd', icon: IconCoin, scope: 'deals:read' },
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

function NavLinks({ onPick }: { onPick?: () => void }) {
  const session = useSession()
  const unread = useGet(
    allows(session, 'messages:read') ? '/conversations' : null,
    { unread_count: 'gt.0', status: 'open', limit: '1' },
    { refetchInterval: 60_000 },
  ).data?.meta.total
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
                {place.to === '/inbox' && unread ? <span className="nav-count">{unread}</span> : null}
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
          <Avatar size={22} radius="xl" color="indigo" variant="filled" name={personName(session.user)} aria-hidden />
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
        <Menu.Divider />
        <Menu.Item onClick={help}>Keyboard shortcuts</Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const KEYS: [string, string][] = [
  ['Ctrl K', 'Search and commands'],
  ['/', 'Search and commands'],
  ['?', 'This list'],
  ['G then a letter', 'Go to a screen: C contacts, O companies, D deals, P projects, T tasks, I inbox, S sequences'],
  ['N', 'New record, on a table'],
  ['Arrows', 'Move in a table or a board'],
  ['Enter', 'Edit a cell, open a card'],
  ['Space', 'Select a row'],
  ['Shift ← →', 'Move a card to the next stage'],
  ['1 – 5', 'Rate a candidate'],
  ['R', 'Reject a candidate; reply in the inbox'],
  ['J, K', 'Next and previous conversation'],
  ['E', 'Archive a conversation'],
]

export function help() {
  modals.open({
    title: 'Keyboard shortcuts',
    children: (
      <table>
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <td style={{ paddingRight: 16, whiteSpace: 'nowrap' }}>
                <Kbd>{keys}</Kbd>
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  })
}

/** `g` followed by a letter opens a page. */
function useJumps() {
  const navigate = useNavigate()
  useEffect(() => {
    let armed = 0
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      const inField =
        target instanceof Element &&
        target.closest('input, textarea, select, [contenteditable=true], [role=dialog]') !== null
      if (inField) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'g') {
        armed = Date.now()
        return
      }
      if (Date.now() - armed > 1200) return
      armed = 0
      const place = PLACES.flatMap((group) => group.places).find((one) => one.key === event.key)
      if (place) {
        event.preventDefault()
        event.stopPropagation()
        navigate({ to: place.to })
      }
    }
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [navigate])
}

export function Shell() {
  const session = useMaybeSession()
  const navigate = useNavigate()
  const here = useRouterState({ select: (state) => state.location.href })
  const [open, nav] = useDisclosure(false)
  useLive(Boolean(session))
  const down = useIsDown()
  useJumps()
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
    <NavContext.Provider value={nav.open}>
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
    </NavContext.Provider>
  )
}

function Head() {
  const session = useSession()
  return (
    <Group justify="space-between" px={10} pb={8} wrap="nowrap">
      <Text fw={700} className="cut" title={session.workspace.name}>
        {session.workspace.name}
      </Text>
      <ActionIcon aria-label="Search and commands" onClick={() => openPalette()}>
        <IconSearch size={16} />
      </ActionIcon>
    </Group>
  )
}
