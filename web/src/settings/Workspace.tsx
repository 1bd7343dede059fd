import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call, put } from '../api/client'
import { queryClient, useAction } from '../api/query'
import { useSession } from '../session'
import { Card } from '../shell/Page'
import { done, fail, Words } from '../shell/tell'

export function Workspace() {
  const { workspace, role } = useSession()
  const [name, setName] = useState(workspace.name)
  const [timezone, setTimezone] = useState(workspace.timezone)
  const [currency, setCurrency] = useState(workspace.currency)
  const [typed, setTyped] = useState('')
  const zones = Intl.supportedValuesOf('timeZone')
  const keep = useAction(
    () => put('/dashboard/workspace', { name, timezone, currency }),
    () => {
      queryClient.invalidateQueries({ queryKey: ['dashboard', '/dashboard/session'] })
      done('Saved')
    },
  )
  const drop = () =>
    call('DELETE', '/dashboard/workspace', { name: typed }).then(() => window.location.assign('/'), fail)
  return (
    <Stack gap="md">
      <Card title="Workspace">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            keep.mutate(undefined)
          }}
        >
          <Stack gap="sm">
            <TextInput label="Name" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
            <Group grow gap="sm">
              <Select
                label="Time zone"
                searchable
                allowDeselect={false}
                data={zones.includes(timezone) ? zones : [timezone, ...zones]}
                value={timezone}
                onChange={(next) => next && setTimezone(next)}
              />
              <Select
                label="Currency of new deals"
                searchable
                allowDeselect={false}
                data={Intl.supportedValuesOf('currency')}
                value={currency}
                onChange={(next) => next && setCurrency(next)}
              />
            </Group>
            {keep.error && <Words error={keep.error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={keep.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
      {role === 'owner' && (
        <Card title="Remove the workspace">
          <Text mb="sm">
            All records, files, messages and keys of “{workspace.name}” go with it. Nobody can bring them back.
          </Text>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Type its name to be sure"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button color="red.9" disabled={typed !== workspace.name} onClick={drop}>
              Remove for good
            </Button>
          </Group>
        </Card>
      )}
    </Stack>
  )
}
