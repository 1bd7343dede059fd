import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../api/query'
import { allows, personName, type Scope, useSession } from '../session'
import { PLACES } from './Shell'

type Item = { id: string; label: string; description?: string; go: () => void }

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

/** One search box for records, pages and actions. */
export function Palette() {
  const navigate = useNavigate()
  const session = useSession()
  const [query, setQuery] = useState('')
  const [words] = useDebouncedValue(query.trim(), 120)
  const may = (scope: Scope) => words.length > 1 && allows(session, scope)
  const asked = { search: words, limit: 6, count: 'none' } as const
  const active = { ...asked, archived_at: 'is.null' }
  const contacts = useList(may('contacts:read') ? '/contacts' : null, active).data?.data ?? []
  const companies = useList(may('companies:read') ? '/companies' : null, active).data?.data ?? []
  const deals = useList(may('deals:read') ? '/deals' : null, active).data?.data ?? []
  const projects = useList(may('projects:read') ? '/projects' : null, asked).data?.data ?? []

  const go = (to: string, search?: Record<string, string>) => () => {
    navigate({ to, search: search ?? {} })
    spotlight.close()
  }
  const screens: Item[] = [
    ...PLACES.flatMap((group) => group.places).map((one) => ({
      id: one.to,
      label: `Go to ${one.label}`,
      description: one.key ? `G ${one.key.toUpperCase()}` : undefined,
      go: go(one.to),
    })),
    { id: '/settings', label: 'Go to Settings', go: go('/settings') },
    ...ACTIONS.map(([label, to, search]) => ({ id: label, label, go: go(to, search) })),
  ]
  const low = query.trim().toLowerCase()
  const fits = screens.filter((item) => item.label.toLowerCase().includes(low))
  const found = words.length > 1
  const groups: [string, Item[]][] = [
    [
      'People',
      found
        ? contacts.map((one) => ({
            id: one.id,
            label: personName(one),
            description: [one.title, one.current_company].filter(Boolean).join(' · '),
            go: go(`/contacts/${one.id}`),
          }))
        : [],
    ],
    [
      'Companies',
      found
        ? companies.map((one) => ({
            id: one.id,
            label: one.name,
            description: one.domain ?? '',
            go: go(`/companies/${one.id}`),
          }))
        : [],
    ],
    [
      'Deals',
      found
        ? deals.map((one) => ({ id: one.id, label: one.title, description: one.status, go: go(`/deals/${one.id}`) }))
        : [],
    ],
    [
      'Projects',
      found
        ? projects.map((one) => ({
            id: one.id,
            label: one.name,
            description: one.client_name ?? '',
            go: go(`/projects/${one.id}`),
          }))
        : [],
    ],
    ['Screens and actions', fits.slice(0, found ? 6 : 30)],
  ]
  const any = groups.some(([, items]) => items.length > 0)
  return (
    <Spotlight.Root query={query} onQueryChange={setQuery} shortcut={['mod + K']} scrollable maxHeight="60vh">
      <Spotlight.Search
        placeholder="Search people, companies, deals, projects, or type a command"
        aria-label="Search and commands"
        leftSection={<IconSearch size={16} />}
      />
      <Spotlight.ActionsList {...SCROLLED}>
        {groups
          .filter(([, items]) => items.length > 0)
          .map(([label, items]) => (
            <Spotlight.ActionsGroup key={label} label={label}>
              {items.map((item) => (
                <Spotlight.Action key={item.id} label={item.label} description={item.description} onClick={item.go} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        {!any && <Spotlight.Empty>Nothing found for “{query}”</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
