import {
  IconBriefcase,
  IconBuilding,
  IconCircleCheck,
  IconCopy,
  IconFileImport,
  IconInbox,
  IconSend,
  IconSparkles,
  IconSun,
  IconTargetArrow,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Scope } from '../session'

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
export const ALL_PLACES = PLACES.flatMap((group) => group.places)
