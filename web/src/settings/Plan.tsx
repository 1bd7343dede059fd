import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useState } from 'react'
import { put } from '../api/client'
import { queryClient, refresh, useGet, usePages } from '../api/query'
import { count, full, size } from '../fields/format'
import { humanize } from '../fields/spec'
import { PLANS } from '../generated/fields'
import { useSession } from '../session'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty, Loaded } from '../shell/Page'

/** What credits pay for. */
const CREDITS = ['sourcing', 'enrichment'] as const

const CONTENTS: Record<(typeof PLANS)[number], string> = {
  starter: 'Starter: records, notes, tags, tasks, pipelines',
  growth: 'Growth: also sequences, conversations, accounts',
  scale: 'Scale: also sourcing and enrichment',
}

export function Plan() {
  const { workspace, role } = useSession()
  const me = useGet('/me').data?.data
  const storage = useGet('/dashboard/workspace').data?.data.storage
  const [plan, setPlan] = useState(workspace.plan)
  const [kind, setKind] = useState<(typeof CREDITS)[number]>('sourcing')
  const ledger = usePages('/dashboard/credits', { kind, limit: '50' })
  const all = ledger.data?.pages.flatMap((page) => page.data) ?? []
  const save = () =>
    put('/dashboard/plan', { plan }).then(() => {
      queryClient.invalidateQueries({ queryKey: ['dashboard', '/dashboard/session'] })
      refresh('me')
      notify(`The plan is now ${humanize(plan)}`)
    }, notifyError)
  return (
    <Stack gap="md">
      <Card title="Plan">
        <Group align="flex-end" gap="sm">
          <Select
            className="grow"
            label="Plan"
            allowDeselect={false}
            disabled={role !== 'owner'}
            data={PLANS.map((value) => ({ value, label: CONTENTS[value] }))}
            value={plan}
            onChange={(next) => next && setPlan(next)}
            description={`The subscription is ${workspace.subscription === 'active' ? 'active' : 'not active'}`}
          />
          {role === 'owner' && (
            <Button disabled={plan === workspace.plan} onClick={save}>
              Change plan
            </Button>
          )}
        </Group>
      </Card>
      <Card title="Storage">
        <Text>
          {storage && `${size(storage.used)} of files${storage.limit === null ? '' : ` of ${size(storage.limit)}`}`}
        </Text>
      </Card>
      <Card title="Credits">
        <SimpleGrid cols={2}>
          {CREDITS.map((one) => (
            <div key={one}>
              <Text size="xl" fw={600} className="num">
                {count(me?.credits[one])}
              </Text>
              <Text c="dimmed">{humanize(one)}</Text>
            </div>
          ))}
        </SimpleGrid>
      </Card>
      <Card
        title="Use of credits"
        flush
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Kind"
            data={CREDITS.map((value) => ({ value, label: humanize(value) }))}
            value={kind}
            onChange={setKind}
          />
        }
      >
        <Loaded of={ledger}>
          {() =>
            all.length === 0 ? (
              <Empty icon={IconCoins} title="No credits used yet" />
            ) : (
              all.map((one) => (
                <div key={one.id} className="row-link">
                  <span className="dim">{full(one.created_at)}</span>
                  <span className="grow cut">{humanize(one.reason)}</span>
                  <span className="num">{one.amount > 0 ? `+${count(one.amount)}` : count(one.amount)}</span>
                  <span className="num dim">{count(one.balance)}</span>
                </div>
              ))
            )
          }
        </Loaded>
      </Card>
    </Stack>
  )
}
