import { Button, Group, MultiSelect, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { ApiError, type Problem } from '../api/client'
import type { ConnectedAccount } from '../api/types'
import { ContactPicker } from '../fields/Pickers'
import { Card } from '../shell/Page'
import { Preview, usePreview } from './Preview'
import { answersThread, CONDITIONS, type Draft, labelOf, typeOf, VARIABLES } from './steps'

type Props = {
  sequence: string
  drafts: Draft[]
  step: Draft
  /** The contact for the preview. */
  as: string | null
  onAs: (contact: string | null) => void
  locked: boolean
  accounts: ConnectedAccount[]
  /** The server's problems with this step; field names are relative to the step: `body`. */
  problems: Problem[]
  onChange: (changes: Partial<Draft>) => void
  onRemove: () => void
}

/** The members whose problems are shown at their fields. */
const PLACED = ['name', 'delay_days', 'delay_hours', 'sender_ids', 'branch_condition', 'subject', 'body']

/** One step: delay, sender, text and preview. */
export function StepEditor({
  sequence,
  drafts,
  step,
  as,
  onAs,
  locked,
  accounts,
  problems,
  onChange,
  onRemove,
}: Props) {
  const body = useRef<HTMLTextAreaElement>(null)
  const { channel, label } = typeOf(step.type)
  const preview = usePreview(sequence, drafts, step.key, as)
  const own = `steps.${drafts.indexOf(step)}.`
  const refused = preview.error instanceof ApiError ? preview.error.problems : []
  const all = [
    ...problems,
    ...(preview.data?.problems ?? []),
    ...refused.flatMap((one) => (one.field.startsWith(own) ? [{ ...one, field: one.field.slice(own.length) }] : [])),
  ]
  /** Every reason once, each on its own line. */
  const wrong = (...fields: string[]) => {
    const reasons = new Set(all.filter((one) => fields.includes(one.field.split('.')[0])).map((one) => one.reason))
    if (reasons.size === 0) return undefined
    return [...reasons].map((reason) => (
      <span key={reason} style={{ display: 'block' }}>
        {reason}
      </span>
    ))
  }
  const insert = (name: string) => {
    const area = body.current
    const text = step.body ?? ''
    const at = area?.selectionStart ?? text.length
    const put = name === 'first_name' ? '{{ first_name | default("there") }}' : `{{ ${name} }}`
    onChange({ body: text.slice(0, at) + put + text.slice(area?.selectionEnd ?? at) })
    setTimeout(() => area?.focus(), 0)
  }
  const writes = step.type !== 'network_visit'
  const condition = step.branch_condition
  return (
    <Card
      title={label}
      actions={
        !locked && (
          <Button size="compact-xs" variant="default" onClick={onRemove}>
            Remove
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {problems
          .filter((one) => !PLACED.includes(one.field.split('.')[0]))
          .map((one) => (
            <Text key={one.field + one.reason} size="sm" c="red" role="alert">
              {one.field ? `${labelOf(one.field)}: ${one.reason}` : one.reason}
            </Text>
          ))}
        <TextInput
          label="Name"
          disabled={locked}
          error={wrong('name')}
          value={step.name ?? ''}
          onChange={(event) => onChange({ name: event.currentTarget.value || null })}
        />
        {condition && (
          <Group grow gap="sm">
            <Select
              label="Condition"
              allowDeselect={false}
              disabled={locked}
              data={CONDITIONS}
              error={wrong('branch_condition')}
              value={condition.type}
              onChange={(type) => type && onChange({ branch_condition: { ...condition, type } })}
            />
            <NumberInput
              label="Within (days)"
              min={0}
              max={90}
              disabled={locked}
              value={condition.after_days ?? 0}
              onChange={(days) => onChange({ branch_condition: { ...condition, after_days: Number(days) || 0 } })}
            />
          </Group>
        )}
        <Group grow gap="sm">
          <NumberInput
            label="Wait days"
            min={0}
            max={365}
            disabled={locked}
            error={wrong('delay_days')}
            value={step.delay_days}
            onChange={(days) => onChange({ delay_days: Number(days) || 0 })}
          />
          <NumberInput
            label="and hours"
            min={0}
            max={23}
            disabled={locked}
            error={wrong('delay_hours')}
            value={step.delay_hours}
            onChange={(hours) => onChange({ delay_hours: Number(hours) || 0 })}
          />
        </Group>
        {channel && (
          <Group grow gap="sm" align="flex-start">
            <Select
              label="Execution"
              allowDeselect={false}
              disabled={locked}
              data={[
                { value: 'automatic', label: 'Automatic' },
                { value: 'manual', label: 'Manual task' },
              ]}
              value={step.execution_mode}
              onChange={(mode) => mode && onChange({ execution_mode: mode })}
            />
            <MultiSelect
              size="sm"
              label="From"
              disabled={locked}
              placeholder={step.sender_ids.length ? undefined : 'The owners’ accounts'}
              data={accounts
                .filter((one) => one.provider === channel && one.status !== 'disconnected')
                .map((one) => ({ value: one.id, label: one.name }))}
              error={wrong('sender_ids')}
              value={step.sender_ids}
              onChange={(ids) => onChange({ sender_ids: ids })}
            />
          </Group>
        )}
        {step.type === 'email' && (
          <TextInput
            label="Subject"
            description={
              answersThread(drafts, step.key)
                ? 'Empty: it answers in the thread of the last email'
                : 'It begins a thread, so it needs a subject'
            }
            disabled={locked}
            error={wrong('subject')}
            value={step.subject ?? ''}
            onChange={(event) => onChange({ subject: event.currentTarget.value || null })}
          />
        )}
        {writes && (
          <>
            <Textarea
              ref={body}
              label="Text"
              autosize
              minRows={6}
              maxRows={20}
              error={wrong('body')}
              disabled={locked}
              value={step.body ?? ''}
              onChange={(event) => onChange({ body: event.currentTarget.value || null })}
            />
            {!locked && (
              <Group gap={4}>
                {VARIABLES.map((name) => (
                  <Button key={name} size="compact-xs" variant="default" onClick={() => insert(name)}>
                    {name}
                  </Button>
                ))}
              </Group>
            )}
            <div>
              <ContactPicker label="Preview as" value={as} onPick={onAs} placeholder="A contact" />
              <Preview {...preview} />
            </div>
          </>
        )}
      </Stack>
    </Card>
  )
}
