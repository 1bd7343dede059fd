import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { remove } from '../api/client'
import { refresh, useList } from '../api/query'
import { ago, day, plural } from '../fields/format'
import { useMembers } from '../session'
import { notify } from '../shell/notices'
import { Card, Empty, Loaded } from '../shell/Page'
import { NewKey } from './NewKey'
import { Delete } from './parts'

const Usage = lazy(async () => ({ default: (await import('./Usage')).Usage }))

export function ApiKeys() {
  const keys = useList('/dashboard/keys')
  const navigate = useNavigate()
  const { new: adding } = useSearch({ from: '__root__' })
  const { nameOf } = useMembers()
  const set = (next?: string) => navigate({ to: '.', search: { new: next }, replace: true })
  return (
    <Stack gap="md">
      <Card title="Keys" flush actions={<Button onClick={() => set('1')}>New key</Button>}>
        <Loaded of={keys}>
          {() =>
            keys.data?.data.length ? (
              keys.data.data.map((one) => (
                <div key={one.id} className="row-link">
                  <div className="grow">
                    <div className="cut" style={{ fontWeight: 600 }}>
                      {one.name}
                    </div>
                    <div className="cut dim" title={one.scopes.join(', ')}>
                      {one.prefix}…{one.last4} · {plural(one.scopes.length, 'scope')}
                      {one.expires_at ? ` · until ${day(one.expires_at)}` : ''}
                    </div>
                  </div>
                  <span className="dim not-small">{nameOf(one.owner.user_id)}</span>
                  <span className="dim">{one.last_used_at ? `used ${ago(one.last_used_at)}` : 'never used'}</span>
                  {one.exceeds_longest_life && (
                    <span className="tag" title="It is valid for longer than the workspace allows for new keys">
                      Exceeds the maximum lifetime
                    </span>
                  )}
                  {one.revoked_at || one.state === 'expired' ? (
                    <span className="tag">{one.revoked_at ? 'Revoked' : 'Expired'}</span>
                  ) : (
                    <Delete
                      label={`Revoke ${one.name}`}
                      action="Revoke key"
                      refreshes={['keys']}
                      onDelete={() => remove(`/dashboard/keys/${one.id}`).then(() => notify(`${one.name} is revoked`))}
                    >
                      Programs that use it are refused at once. A revoked key can’t be restored.
                    </Delete>
                  )}
                </div>
              ))
            ) : (
              <Empty
                icon={IconKey}
                title="No keys yet"
                action={<Button onClick={() => set('1')}>Create the first</Button>}
              >
                A program that works with Relata needs a key. It is shown once.
              </Empty>
            )
          }
        </Loaded>
      </Card>
      <Card title="Requests against the limit">
        <Suspense fallback={null}>
          <Usage />
        </Suspense>
      </Card>
      <Group>
        <Text c="dimmed">
          See the{' '}
          <Anchor href="/docs/" target="_blank" size="sm" underline="always">
            API reference
          </Anchor>
          .
        </Text>
      </Group>
      {adding === '1' && <NewKey onClose={() => set(undefined)} onMade={() => refresh('keys')} />}
    </Stack>
  )
}
