import { Anchor, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useState } from 'react'
import { post, remove } from '../api/client'
import { refresh, useList, usePages } from '../api/query'
import type { Suppression } from '../api/types'
import { ago } from '../fields/format'
import { humanize } from '../fields/spec'
import { useCan } from '../session'
import { Link } from '../shell/Link'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import { Card, Empty, Loaded } from '../shell/Page'

/** The limits of each account, and the suppressions. */
export function Sending() {
  return (
    <Stack gap="md">
      <DailyLimits />
      <Suppressions />
    </Stack>
  )
}

function DailyLimits() {
  const accounts = (useList('/connected-accounts').data?.data ?? []).filter((one) => one.status !== 'disconnected')
  return (
    <Card title="Daily limits" flush>
      {accounts.map((one) => (
        <div key={one.id} className="row-link">
          <span className="grow cut">{one.name}</span>
          <span className="dim">
            {one.daily_limit ? `${one.daily_limit} in 24 hours` : 'No daily limit'}
            {one.min_gap_minutes ? `, ${one.min_gap_minutes} min apart` : ''}
            {one.ramp_up ? `, beginning with ${one.ramp_up}` : ''}
          </span>
        </div>
      ))}
      <Text c="dimmed" p="sm">
        Limits are set at the{' '}
        <Anchor component={Link} to="/settings/accounts" size="sm" underline="always">
          account
        </Anchor>
        , windows and days at each sequence’s schedule. Opens and clicks are not counted unless a sequence asks for it.
      </Text>
    </Card>
  )
}

function Suppressions() {
  const may = useCan('messages:write')
  const list = usePages('/suppressions', { limit: '50' })
  const all = list.data?.pages.flatMap((page) => page.data) ?? []
  const [kind, setKind] = useState<'address' | 'domain'>('address')
  const [text, setText] = useState('')
  const add = () =>
    post('/suppressions', { [kind]: text.trim() }).then(() => {
      setText('')
      refresh('suppressions')
      notify('Nothing is sent there any more')
    }, notifyError)
  const drop = (one: Suppression) => {
    const what: Record<string, string> = one.address ? { address: one.address } : { domain: one.domain ?? '' }
    return remove('/suppressions', what).then(() => {
      refresh('suppressions')
      notifyWithUndo(`${one.address ?? one.domain} can receive messages again`, () =>
        post('/suppressions', what).then(() => refresh('suppressions')),
      )
    }, notifyError)
  }
  return (
    <Card title="Suppressed addresses and domains" flush>
      {may && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <Group p="sm" gap="xs">
            <SegmentedControl
              size="xs"
              aria-label="Kind"
              data={[
                { value: 'address', label: 'Address' },
                { value: 'domain', label: 'Domain' },
              ]}
              value={kind}
              onChange={setKind}
            />
            <TextInput
              size="xs"
              className="grow"
              aria-label="Address or domain"
              placeholder={kind === 'address' ? 'ann@example.com' : 'example.com'}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!text.trim()}>
              Add
            </Button>
          </Group>
        </form>
      )}
      <Loaded of={list}>
        {() =>
          all.length === 0 ? (
            <Empty icon={IconMailOff} title="No suppressed addresses">
              Contacts who unsubscribe, complain or bounce are added automatically.
            </Empty>
          ) : (
            <>
              {all.map((one) => (
                <div key={one.id} className="row-link">
                  <span className="grow cut">{one.address ?? `Everybody at ${one.domain}`}</span>
                  <span className="dim">{humanize(one.reason)}</span>
                  <span className="dim">{ago(one.created_at)}</span>
                  {may && (
                    <Button size="compact-xs" variant="default" onClick={() => drop(one)}>
                      Allow
                    </Button>
                  )}
                </div>
              ))}
              {list.hasNextPage && (
                <Button m="sm" variant="default" onClick={() => list.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
