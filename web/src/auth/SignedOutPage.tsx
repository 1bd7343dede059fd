import { Center, Group, Paper, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

export const PASSWORD_RULE = 'At least 12 characters, and not easy to guess'

/** The frame of pages that need no session. */
export function SignedOutPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Relata`)
  return (
    <Center
      component="main"
      mih="100%"
      p="md"
      style={{ overflow: 'auto', height: '100%', background: 'var(--r-sunken)' }}
    >
      <Paper withBorder p="xl" w="100%" maw={420} radius="lg">
        <Group gap={10} mb="lg">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <Text fw={700} size="lg">
            Relata
          </Text>
        </Group>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </Center>
  )
}
