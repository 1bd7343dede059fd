import { Anchor, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { count } from '../fields/format'
import { Link } from '../shell/Link'
import { Card } from '../shell/Page'

export const agoDays = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** A list of items that need attention, with a link to all of them. */
export function Box({
  title,
  icon,
  total,
  to,
  children,
}: {
  title: string
  icon?: Icon
  total?: number | null
  to: string
  children: ReactNode
}) {
  return (
    <Card
      title={title}
      icon={icon}
      flush
      actions={
        <Anchor component={Link} to={to} size="sm" aria-label={`${title}: all`}>
          {total ? `All ${count(total)}` : 'Open'}
        </Anchor>
      }
    >
      {children}
    </Card>
  )
}

export const Nothing = ({ children }: { children: ReactNode }) => (
  <Text c="dimmed" p="md">
    {children}
  </Text>
)
