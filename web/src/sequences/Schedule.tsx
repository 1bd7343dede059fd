import { Button, Checkbox, Group, Input, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, type Problem, put } from '../api/client'
import { refresh, useAction } from '../api/query'
import type { WholeSequence } from '../api/types'
import { optionsOf } from '../fields/spec'
import { useCan } from '../session'
import { notify } from '../shell/notices'
import { Card } from '../shell/Page'
import { ErrorMessage, memberOf, problemIn } from '../shell/problems'
import { useProblems } from '../shell/useProblems'
import { confirmDiscard, type Unsaved, useUnsaved } from './Builder'
import { inWords, nameOfStep } from './steps'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

type Plan = WholeSequence['schedule_config']

const PRIORITIES: Record<WholeSequence['priority'], string> = { normal: 'Normal', high: 'High: before other sequences' }

const COUNTED: Record<Plan['count'], string> = { sending_days: 'Sending days', calendar_days: 'Calendar days' }

type Changes = { name?: string; priority?: WholeSequence['priority']; plan?: Partial<Plan> }
type Props = { sequence: WholeSequence; unsaved: Unsaved; onSaved: () => void }

/** The members whose problems are shown at their fields. */
const PLACED = [
  'name',
  'priority',
  'days',
  'start_time',
  'end_time',
  'timezone',
  'use_contact_timezone',
  'daily_limit',
  'min_gap_minutes',
  'count',
  'stop_on_reply',
  'stop_for_company',
  'track_opens',
  'track_clicks',
]

/** Why a switch must stay as it is for a step that is a branch. */
const NEEDED_BY: Record<string, (step: string) => string> = {
  stop_on_reply: (step) => `this must stay off: “${step}” is for contacts who reply`,
  track_opens: (step) => `this must stay on: “${step}” is for contacts who open a message`,
  track_clicks: (step) => `this must stay on: “${step}” is for contacts who click a link`,
}

/** The server's problems at the fields of this form to which they belong, in the words of the form, once each. */
function placed(steps: WholeSequence['steps'], problems: Problem[]): Problem[] {
  const found = problems.map(({ field, reason }): Problem => {
    const [, index] = /^steps\.(\d+)\.branch_condition/.exec(field) ?? []
    const needed = /schedule_config\.(\w+)/.exec(reason)?.[1] ?? ''
    if (index !== undefined && NEEDED_BY[needed])
      return { field: needed, reason: NEEDED_BY[needed](nameOfStep(steps[Number(index)], Number(index))) }
    const member = field.replace(/^schedule_config\./, '')
    return { field: member, reason: inForm(member, reason) }
  })
  return found.filter((one, at) => found.findIndex((other) => isSame(one, other)) === at)
}

const isSame = (one: Problem, other: Problem) => one.field === other.field && one.reason === other.reason

/** What to do about a refused value. The server's reasons name its own members and formats. */
function inForm(field: string, reason: string): string {
  switch (field) {
    case 'days':
      return 'choose at least one day'
    case 'start_time':
      return 'enter a time from 00:00 to 23:59, such as 09:00'
    case 'end_time':
      return /start_time/.test(reason)
        ? 'enter another time than in “From”; a whole day is from 00:00 to 24:00'
        : 'enter a time from 00:00 to 24:00, such as 18:00'
    case 'timezone':
      return 'the server does not know this time zone; choose another one, such as Europe/Paris'
    default:
      return reason.replace(/^must be from (\S+) to (\S+)$/, 'enter a whole number from $1 to $2')
  }
}

/** A number that is too large is refused with the limit, not replaced by it. */
const WHOLE = { allowDecimal: false, allowNegative: false, clampBehavior: 'none' } as const

/** When messages may be sent, and what ends the sequence for a contact. */
export function Schedule({ sequence, unsaved, onSaved }: Props) {
  const may = useCan('sequences:write') && sequence.status !== 'archived'
  // Only the changes made here, so that concurrent changes of others stay visible.
  const [changes, setChanges] = useState<Changes>({})
  const { name, priority } = { name: sequence.name, priority: sequence.priority, ...changes }
  const plan = { ...sequence.schedule_config, ...changes.plan }
  const dirty = Object.keys(changes).length > 0
  const setName = (next: string) => {
    solve('name')
    setChanges({ ...changes, name: next })
  }
  const set = (next: Partial<Plan>) => {
    // A time that is the same as the other one is corrected by changing either.
    solve(...Object.keys(next), ...('start_time' in next ? ['end_time'] : []))
    setChanges({ ...changes, plan: { ...changes.plan, ...next } })
  }
  useBlocker({
    enableBeforeUnload: dirty,
    shouldBlockFn: async () => dirty && !(await confirmDiscard('settings of the schedule')),
  })
  const save = useAction(
    () =>
      put(`/sequences/${sequence.id}`, { name, priority, schedule_config: plan }).catch((error) => {
        throw error instanceof ApiError ? error.with(placed(sequence.steps, error.problems)) : error
      }),
    async () => {
      onSaved()
      await refresh('sequences')
      setChanges({})
      notify('Saved')
    },
  )
  const { left, solve } = useProblems(save.error)
  const problem = (field: string) => problemIn(left, field)
  const others = left instanceof ApiError ? left.problems.filter((one) => !PLACED.includes(memberOf(one.field))) : []
  useUnsaved(unsaved, dirty, () => save.mutateAsync(undefined))
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <div className="narrow">
      <Card title="Schedule and rules">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(undefined)
          }}
        >
          <Stack gap="md">
            <Group grow gap="sm" align="flex-start">
              <TextInput
                label="Name"
                required
                disabled={!may}
                error={problem('name')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Select
                label="Priority"
                allowDeselect={false}
                disabled={!may}
                data={optionsOf(PRIORITIES)}
                error={problem('priority')}
                value={priority}
                onChange={(next) => next && setChanges({ ...changes, priority: next })}
              />
            </Group>
            <Checkbox.Group label="Days" error={problem('days')} value={plan.days} onChange={(days) => set({ days })}>
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
                error={problem('start_time')}
                value={plan.start_time}
                onChange={(event) => set({ start_time: event.currentTarget.value })}
              />
              <TextInput
                label="Until"
                disabled={!may}
                error={problem('end_time')}
                value={plan.end_time}
                onChange={(event) => set({ end_time: event.currentTarget.value })}
              />
              <Select
                label="Time zone"
                searchable
                allowDeselect={false}
                disabled={!may}
                data={zones.includes(plan.timezone) ? zones : [plan.timezone, ...zones]}
                error={problem('timezone')}
                value={plan.timezone}
                onChange={(timezone) => timezone && set({ timezone })}
              />
            </Group>
            <Switch
              label="In the contact’s own time zone, where it is known"
              disabled={!may}
              error={problem('use_contact_timezone')}
              checked={plan.use_contact_timezone}
              onChange={(event) => set({ use_contact_timezone: event.currentTarget.checked })}
            />
            <Group grow gap="sm" align="flex-start">
              <NumberInput
                label="Maximum messages a day"
                placeholder="No limit"
                min={1}
                {...WHOLE}
                disabled={!may}
                error={problem('daily_limit')}
                value={plan.daily_limit ?? ''}
                onChange={(value) => set({ daily_limit: value === '' ? null : Number(value) })}
              />
              <NumberInput
                label="Minimum gap (minutes)"
                placeholder="None"
                min={0}
                {...WHOLE}
                disabled={!may}
                error={problem('min_gap_minutes')}
                value={plan.min_gap_minutes ?? ''}
                onChange={(value) => set({ min_gap_minutes: value === '' ? null : Number(value) })}
              />
              <Select
                label="Count delays in"
                allowDeselect={false}
                disabled={!may}
                data={optionsOf(COUNTED)}
                error={problem('count')}
                value={plan.count}
                onChange={(next) => next && set({ count: next })}
              />
            </Group>
            <Switch
              label="Stop on reply"
              disabled={!may}
              error={problem('stop_on_reply')}
              checked={plan.stop_on_reply}
              onChange={(event) => set({ stop_on_reply: event.currentTarget.checked })}
            />
            <Switch
              label="Stop on reply for everybody at the same company"
              disabled={!may}
              error={problem('stop_for_company')}
              checked={plan.stop_for_company}
              onChange={(event) => set({ stop_for_company: event.currentTarget.checked })}
            />
            <Switch
              label="Count opens (unreliable: some programs load every image, others none)"
              disabled={!may}
              error={problem('track_opens')}
              checked={plan.track_opens}
              onChange={(event) => set({ track_opens: event.currentTarget.checked })}
            />
            <Switch
              label="Count clicks"
              disabled={!may}
              error={problem('track_clicks')}
              checked={plan.track_clicks}
              onChange={(event) => set({ track_clicks: event.currentTarget.checked })}
            />
            {others.map((one) => (
              <Input.Error key={one.field} role="alert">
                {inWords(sequence.steps, one)}
              </Input.Error>
            ))}
            {left && !(left instanceof ApiError && left.problems.length > 0) && <ErrorMessage error={left} />}
            {may && (
              <Group justify="flex-end">
                <Button type="submit" loading={save.isPending}>
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
