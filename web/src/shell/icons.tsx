import { Tabs } from '@mantine/core'
import {
  type Icon,
  IconActivity,
  IconBell,
  IconBriefcase,
  IconBuilding,
  IconCalendarTime,
  IconChartBar,
  IconCircleCheck,
  IconFileCv,
  IconFileText,
  IconHistory,
  IconLayoutKanban,
  IconListDetails,
  IconMail,
  IconMessageCircle,
  IconNotes,
  IconPaperclip,
  IconPhone,
  IconSend,
  IconSitemap,
  IconSparkles,
  IconTag,
  IconTargetArrow,
  IconUser,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { humanize } from '../fields/spec'

/** One icon for each meaning: kinds of records and events, tabs, channels, types of tasks. */
const ICONS: Record<string, Icon> = {
  about: IconFileText,
  candidates: IconLayoutKanban,
  company: IconBuilding,
  contact: IconUser,
  conversations: IconMail,
  cv: IconFileCv,
  deal: IconTargetArrow,
  deals: IconTargetArrow,
  details: IconListDetails,
  enrichment_request: IconSparkles,
  enrollment: IconSend,
  enrollments: IconUsers,
  entry: IconBriefcase,
  file: IconPaperclip,
  history: IconHistory,
  message: IconMail,
  note: IconNotes,
  notes: IconNotes,
  people: IconUsers,
  project: IconBriefcase,
  projects: IconBriefcase,
  results: IconChartBar,
  schedule: IconCalendarTime,
  sequences: IconSend,
  steps: IconSitemap,
  tag: IconTag,
  task: IconCircleCheck,
  tasks: IconCircleCheck,
  timeline: IconActivity,
  call: IconPhone,
  chat: IconMessageCircle,
  email: IconMail,
  network: IconUserPlus,
  network_connect: IconUserPlus,
  network_message: IconUserPlus,
  todo: IconCircleCheck,
  reminder: IconBell,
  meeting: IconUsers,
}

export const iconOf = (kind: string): Icon => ICONS[kind] ?? IconActivity

/** A tab with its icon. */
export function Tab({ value, children }: { value: string; children: ReactNode }) {
  const Glyph = iconOf(value)
  return (
    <Tabs.Tab value={value} leftSection={<Glyph size={16} />}>
      {children}
    </Tabs.Tab>
  )
}

/** A channel or a type of task as an icon. */
export function Kind({ of, size = 16 }: { of: string; size?: number }) {
  const Glyph = iconOf(of)
  return (
    <span
      role="img"
      aria-label={humanize(of)}
      title={humanize(of)}
      style={{ display: 'inline-flex', verticalAlign: 'middle' }}
    >
      <Glyph size={size} aria-hidden />
    </span>
  )
}
