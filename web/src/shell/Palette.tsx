import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useList } from '../api/query'
import { allows, personName, type Scope, useSession } from '../session'
import { sectionsFor } from '../settings/sections'
import { COLOR_SCHEMES, signOut } from './account'
import { help } from './help'
import { PLACES } from './places'
import { palette, spotlight } from './spotlight'

type Item = {
  id: string
  label: string
  description?: string
  /** Further words that find it. */
  words?: string
  go: () => void
}

const ACTIONS: [string, string, Record<string, string>?][] = [
  ['New contact', '/contacts', { new: '1' }],
  ['New company', '/companies', { new: '1' }],
  ['New deal', '/deals', { new: '1' }],
  ['New project', '/projects', { new: '1' }],
  ['New task', '/tasks', { new: '1' }],
  ['New sequence', '/sequences', { new: '1' }],
  ['Create an API key', '/settings/api', { new: '1' }],
  ['Invite a member', '/settings/members', { new: '1' }],
]

/** Makes the scroll area focusable. The list passes this on, although its types don't declare it. */
const SCROLLED = { viewportProps: { tabIndex: 0 } }

/** Pages and actions that need no request. */
function useCommands(): Item[] {
  const navigate = useNavigate()
  const session = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const go = (to: string, search?: Record<string, string>) => () => navigate({ to, search: search ?? {} })
  return [
    ...PLACES.flatMap((group) => group.places)
      .filter((one) => !one.scope || allows(session, one.scope))
      .map((one) => ({
        id: one.to,
        label: `Go to ${one.label}`,
        description: one.key ? `G ${one.key.toUpperCase()}` : undefined,
        go: go(one.to),
      })),
    { id: '/settings', label: 'Go to Settings', words: 'preferences options', go: go('/settings') },
    ...ACTIONS.map(([label, to, search]) => ({ id: label, label, go: go(to, search) })),
    ...sectionsFor(session.role).map((one) => ({
      id: `settings-${one.key}`,
      label: one.label,
      description: 'Settings',
      words: `settings ${one.words}`,
      go: go(`/settings/${one.key}`),
    })),
    ...COLOR_SCHEMES.map(({ value, label }) => ({
      id: `theme-${value}`,
      label: `${label} theme`,
      words: 'appearance mode colours colors',
      go: () => setColorScheme(value),
    })),
    { id: 'shortcuts', label: 'Keyboard shortcuts', words: 'keys help', go: help },
    { id: 'sign-out', label: 'Sign out', words: 'log out logout leave', go: signOut },
  ]
}

const actionsShown = () => [...document.querySelectorAll<HTMLElement>('[data-palette] [data-action]')]

type Found = { fetchStatus: string; isPlaceholderData: boolean; data?: unknown; failureCount: number }

/** Whether a list has arrived, or is not asked for, or can't be reached. */
const isReady = (one: Found) =>
  one.fetchStatus === 'idle' || (one.data !== undefined && !one.isPlaceholderData) || one.failureCount > 0

/** One search box for records, pages and actions. Enter opens the first result, once the results are there. */
export function Palette() {
  const navigate = useNavigate()
  const session = useSession()
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const [words] = useDebouncedValue(typed, 120)
  const may = (scope: Scope) => words.length > 1 && allows(session, scope)
  const asked = { search: words, limit: 6, count: 'none' } as const
  const active = { ...asked, archived_at: 'is.null' }
  const contacts = useList(may('contacts:read') ? '/contacts' : null, active)
  const companies = useList(may('companies:read') ? '/companies' : null, active)
  const deals = useList(may('deals:read') ? '/deals' : null, active)
  const projects = useList(may('projects:read') ? '/projects' : null, asked)
  const commands = useCommands()
  const found = words.length > 1 && typed.length > 1
  const settled = typed.length < 2 || (words === typed && [contacts, companies, deals, projects].every(isReady))

  const open = (to: string) => () => navigate({ to })
  const low = typed.toLowerCase()
  const fits = commands.filter((item) => {
    const text = `${item.label} ${item.words ?? ''}`.toLowerCase()
    return low.split(/\s+/).every((word) => text.includes(word))
  })
  // A command that was typed in full comes before records that contain its name.
  const isExact = fits.some((item) => item.label.toLowerCase().replace(/^go to /, '') === low)
  const records: [string, Item[]][] = found
    ? [
        [
          'People',
          (contacts.data?.data ?? []).map((one) => ({
            id: one.id,
            label: personName(one),
            description: [one.title, one.current_company, one.emails[0]?.email].filter(Boolean).join(' · '),
            go: open(`/contacts/${one.id}`),
          })),
        ],
        [
          'Companies',
          (companies.data?.data ?? []).map((one) => ({
            id: one.id,
            label: one.name,
            description: one.domain ?? '',
            go: open(`/companies/${one.id}`),
          })),
        ],
        [
          'Deals',
          (deals.data?.data ?? []).map((one) => ({
            id: one.id,
            label: one.title,
            description: one.status,
            go: open(`/deals/${one.id}`),
          })),
        ],
        [
          'Projects',
          (projects.data?.data ?? []).map((one) => ({
            id: one.id,
            label: one.name,
            description: one.client_name ?? '',
            go: open(`/projects/${one.id}`),
          })),
        ],
      ]
    : []
  const screens: [string, Item[]] = ['Screens and actions', fits.slice(0, found ? 6 : 60)]
  const groups = (isExact ? [screens, ...records] : [...records, screens]).filter(([, items]) => items.length > 0)

  // The list's own handler would open a result of an earlier query, or nothing while the results are on their way.
  const waiting = useRef<string>(null)
  const openSelected = () => {
    const actions = actionsShown()
    const chosen = actions.find((one) => one.hasAttribute('data-selected')) ?? (typed ? actions[0] : undefined)
    chosen?.click()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    if (settled) openSelected()
    else waiting.current = query
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each query, when its results are there
  useEffect(() => {
    if (!settled || !typed) return
    for (const [index, one] of actionsShown().entries()) one.toggleAttribute('data-selected', index === 0)
    spotlight.updateState((state) => ({ ...state, selected: 0 }))
    if (waiting.current === query) openSelected()
    waiting.current = null
  }, [settled, query])
  return (
    <Spotlight.Root
      store={spotlight}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      scrollable
      maxHeight="60vh"
    >
      <div style={{ display: 'contents' }} onKeyDownCapture={keys}>
        <Spotlight.Search
          placeholder="Search people, companies, deals, projects, or type a command"
          aria-label="Search and commands"
          leftSection={<IconSearch size={16} />}
        />
      </div>
      <Spotlight.ActionsList {...SCROLLED} data-palette>
        {groups.map(([label, items]) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map((item) => (
              <Spotlight.Action
                key={item.id}
                label={item.label}
                description={item.description}
                onClick={() => {
                  palette.close()
                  item.go()
                }}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && (
          <Spotlight.Empty>{settled ? `Nothing found for “${query}”` : 'Searching…'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
