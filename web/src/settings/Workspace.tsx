import { Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { put, removeWith } from '../api/client'
import { queryClient, refresh, useAction, useGet } from '../api/query'
import { leaveRemoved, useSession } from '../session'
import { notify, notifyError } from '../shell/notices'
import { Card } from '../shell/Page'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { useProblems } from '../shell/useProblems'

export function Workspace() {
  const { workspace, role } = useSession()
  const [name, setName] = useState(workspace.name)
  const [timezone, setTimezone] = useState(workspace.timezone)
  const [currency, setCurrency] = useState(workspace.currency)
  const settings = useGet('/dashboard/workspace').data?.data
  const stored = settings?.longest_key_days
  const [changed, setChanged] = useState<number | string>()
  const longest = changed ?? stored ?? ''
  const [byReply, setByReply] = useState<boolean>()
  const [typed, setTyped] = useState('')
  const zones = Intl.supportedValuesOf('timeZone')
  const save = useAction(
    () =>
      put('/dashboard/workspace', {
        name,
        timezone,
        currency,
        ...(changed === undefined ? {} : { longest_key_days: changed === '' ? null : Number(changed) }),
        ...(byReply === undefined ? {} : { unsubscribe_by_reply: byReply }),
      }),
    () => {
      refresh('workspace', 'keys')
      queryClient.invalidateQueries({ queryKey: ['dashboard', '/dashboard/session'] })
      notify('Saved')
    },
  )
  const { left, solveAt } = useProblems(save.error)
  const drop = () =>
    removeWith('/dashboard/workspace', { name: typed }).then(() => {
      leaveRemoved(workspace.name)
    }, notifyError)
  return (
    <Stack gap="md">
      <Card title="Workspace">
        <form
          onInput={solveAt}
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(undefined)
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
            <NumberInput
              label="Maximum lifetime of API keys in days"
              description="New keys need an expiry date within this time. Leave it empty for no limit. Existing keys keep working."
              min={1}
              max={3650}
              // A number that is too large is refused with the limit, not replaced by it.
              clampBehavior="none"
              error={problemOf(left, 'longest_key_days')}
              allowDecimal={false}
              value={longest}
              onChange={setChanged}
            />
            <Switch
              label="Replies that ask to be removed unsubscribe the sender"
              description="Nothing is sent to the address any more, as after a click on the unsubscribe link."
              checked={byReply ?? settings?.unsubscribe_by_reply ?? true}
              onChange={(event) => setByReply(event.currentTarget.checked)}
            />
            {left && !isPlaced(left, ['longest_key_days']) && <ErrorMessage error={left} />}
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending}>
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
          {settings?.removable === false && (
            <Text mb="sm">
              This is the only workspace on this server, so it can’t be removed. Another one is made by the operator,
              with relata workspace create.
            </Text>
          )}
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Type its name to be sure"
              disabled={!settings?.removable}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button color="red" disabled={!settings?.removable || typed !== workspace.name} onClick={drop}>
              Remove for good
            </Button>
          </Group>
        </Card>
      )}
    </Stack>
  )
}
