import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { get } from '../api/client'
import type { DataOf } from '../api/paths'
import { Chip } from '../fields/Show'
import { copy } from '../shell/Copy'
import { fail } from '../shell/tell'

const NAMES = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', mx: 'MX', unsubscribe: 'One-click unsubscribe' }

const COLORS = { pass: 'var(--r-ok)', warn: 'var(--r-warn)', fail: 'var(--r-danger)', unknown: null }

type Checked = DataOf<`/connected-accounts/${string}/domain-check`>

/** Looks the records of an account's domain up, and shows which to add. */
export function DomainCheck({ account }: { account: string }) {
  const [checked, setChecked] = useState<Checked>()
  const [busy, setBusy] = useState(false)
  const check = () => {
    setBusy(true)
    get(`/connected-accounts/${account}/domain-check`)
      .then(({ data }) => setChecked(data), fail)
      .finally(() => setBusy(false))
  }
  return (
    <>
      <Button variant="default" loading={busy} onClick={check}>
        Check domain
      </Button>
      {checked && (
        <Stack gap="xs" w="100%" aria-label={`Check of ${checked.domain}`}>
          {checked.findings.map((one) => (
            <div key={one.check}>
              <Group gap="xs">
                <Text fw={600}>{NAMES[one.check]}</Text>
                <Chip value={one.verdict} color={COLORS[one.verdict]} />
              </Group>
              <Text c="dimmed">{one.reason}</Text>
              {one.record && (
                <Group gap="xs" wrap="nowrap" align="flex-start">
                  <Code style={{ overflowWrap: 'anywhere' }}>
                    {one.record.name} {one.record.kind} {one.record.value}
                  </Code>
                  <Button size="compact-xs" variant="default" onClick={() => copy(one.record?.value ?? '')}>
                    Copy value
                  </Button>
                </Group>
              )}
            </div>
          ))}
        </Stack>
      )}
    </>
  )
}
