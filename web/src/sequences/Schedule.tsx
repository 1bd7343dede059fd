import { Button, Checkbox, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { put } from '../api/client'
import { refresh, useAction } from '../api/query'
import type { WholeSequence } from '../api/types'
import { choiceOf } from '../fields/spec'
import { SEQUENCE_CHOICES } from '../generated/fields'
import { useCan } from '../session'
import { Card } from '../shell/Page'
import { done, Words } from '../shell/tell'
import { leaves, type Unsaved, useUnsaved } from './Builder'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

type Plan = WholeSequence['schedule_config']
type Changes = { name?: string; priority?: WholeSequence['priority']; plan?: Partial<Plan> }
type Props = { sequence: WholeSequence; unsaved: Unsaved; onSaved: () => void }

/** When messages may be sent, and what ends the sequence for a contact. */
export function Schedule({ sequence, unsaved, onSaved }: Props) {
  const may = useCan('sequences:write') && sequence.status !== 'archived'
  // Only the changes made here, so that concurrent changes of others stay visible.
  const [changes, setChanges] = useState<Changes>({})
  const { name, priority } = { name: sequence.name, priority: sequence.priority, ...changes }
  const plan = { ...sequence.schedule_config, ...changes.plan }
  const dirty = Object.keys(changes).length > 0
  const setName = (next: string) => setChanges({ ...changes, name: next })
  const setPriority = (next: string) => setChanges({ ...changes, priority: choiceOf(SEQUENCE_CHOICES.priority, next) })
  const set = (next: Partial<Plan>) => setChanges({ ...changes, plan: { ...changes.plan, ...next } })
  useBlocker({
    enableBeforeUnload: dirty,
    shouldBlockFn: async () => dirty && !(await leaves('settings of the schedule')),
  })
  const keep = useAction(
    () => put(`/sequences/${sequence.id}`, { name, priority, schedule_config: plan }),
    async () => {
      onSaved()
      await refresh('sequences')
      setChanges({})
      done('Saved')
    },
  )
  useUnsaved(unsaved, dirty, () => keep.mutateAsync(undefined))
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <div className="narrow">
      <Card title="Schedule and rules">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            keep.mutate(undefined)
          }}
        >
          <Stack gap="md">
            <Group grow gap="sm" align="flex-start">
              <TextInput
                label="Name"
                required
                disabled={!may}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Select
                label="Priority"
                allowDeselect={false}
                disabled={!may}
                data={[
                  { value: 'normal', label: 'Normal' },
                  { value: 'high', label: 'High: before other sequences' },
                ]}
                value={priority}
                onChange={(next) => next && setPriority(next)}
              />
            </Group>
            <Checkbox.Group label="Days" value={plan.days} onChange={(days) => set({ days })}>
              <Group gap="sm" mt={4}>
                {DAYS.map((one) => (
                  <Checkbox
                    key={one}
                    size="xs"
                    value={one}
                    label={one[0].toUpperCase() + one.slice(1)}
                    disabled={!may}
                  />
                ))}
              </Group>
            </Checkbox.Group>
            <Group grow gap="sm" align="flex-start">
              <TextInput
                label="From"
                disabled={!may}
                value={plan.start_time}
                onChange={(event) => set({ start_time: event.currentTarget.value })}
              />
              <TextInput
                label="Until"
                disabled={!may}
                value={plan.end_time}
                onChange={(event) => set({ end_time: event.currentTarget.value })}
              />
              <Select
                label="Time zone"
                searchable
                allowDeselect={false}
                disabled={!may}
                data={zones.includes(plan.timezone) ? zones : [plan.timezone, ...zones]}
                value={plan.timezone}
                onChange={(timezone) => timezone && set({ timezone })}
              />
            </Group>
            <Switch
              label="In the contact’s own time zone, where it is known"
              disabled={!may}
              checked={plan.use_contact_timezone}
              onChange={(event) => set({ use_contact_timezone: event.currentTarget.checked })}
            />
            <Group grow gap="sm" align="flex-start">
              <NumberInput
                label="Maximum messages a day"
                placeholder="No limit"
                min={1}
                disabled={!may}
                value={plan.daily_limit ?? ''}
                onChange={(value) => set({ daily_limit: value === '' ? null : Number(value) })}
              />
              <NumberInput
                label="Minimum gap (minutes)"
                placeholder="None"
                min={0}
                disabled={!may}
                value={plan.min_gap_minutes ?? ''}
                onChange={(value) => set({ min_gap_minutes: value === '' ? null : Number(value) })}
              />
              <Select
                label="Count delays in"
                allowDeselect={false}
                disabled={!may}
                data={[
                  { value: 'sending_days', label: 'Sending days' },
                  { value: 'calendar_days', label: 'Calendar days' },
                ]}
                value={plan.count}
                onChange={(next) => next && set({ count: next })}
              />
            </Group>
            <Switch
              label="Stop on reply"
              disabled={!may}
              checked={plan.stop_on_reply}
              onChange={(event) => set({ stop_on_reply: event.currentTarget.checked })}
            />
            <Switch
              label="Stop on reply for everybody at the same company"
              disabled={!may}
              checked={plan.stop_for_company}
              onChange={(event) => set({ stop_for_company: event.currentTarget.checked })}
            />
            <Switch
              label="Count opens (unreliable: some programs load every image, others none)"
              disabled={!may}
              checked={plan.track_opens}
              onChange={(event) => set({ track_opens: event.currentTarget.checked })}
            />
            <Switch
              label="Count clicks"
              disabled={!may}
              checked={plan.track_clicks}
              onChange={(event) => set({ track_clicks: event.currentTarget.checked })}
            />
            {keep.error && <Words error={keep.error} />}
            {may && (
              <Group justify="flex-end">
                <Button type="submit" loading={keep.isPending}>
                  Save
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Card>
    </div>
  )
}
