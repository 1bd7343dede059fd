import { Button, Group, MultiSelect, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useGet } from '../api/query'
import type { ConnectedAccount, Contact } from '../api/types'
import { ContactPicker } from '../fields/Pickers'
import { Card } from '../shell/Page'
import classes from './sequences.module.css'
import { CONDITIONS, type Draft, preview, typeOf, VARIABLES } from './steps'

type Props = {
  step: Draft
  locked: boolean
  accounts: ConnectedAccount[]
  problems: string[]
  onChange: (changes: Partial<Draft>) => void
  onRemove: () => void
}

/** One step: when, through whom, what it says, and how a contact would read it. */
export function StepEditor({ step, locked, accounts, problems, onChange, onRemove }: Props) {
  const body = useRef<HTMLTextAreaElement>(null)
  const { channel, label } = typeOf(step.type)
  const [as, setAs] = useState<string | null>(null)
  const insert = (name: string) => {
    const area = body.current
    const text = step.body ?? ''
    const at = area?.selectionStart ?? text.length
    const put = name === 'first_name' ? '{{ first_name | default("there") }}' : `{{ ${name} }}`
    onChange({ body: text.slice(0, at) + put + text.slice(area?.selectionEnd ?? at) })
    setTimeout(() => area?.focus(), 0)
  }
  const writes = step.type !== 'network_visit'
  const sender =
    accounts.find((one) => step.sender_ids.includes(one.id)) ?? accounts.find((one) => one.provider === channel)
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
        {problems.map((problem) => (
          <Text key={problem} size="sm" c="red.9" role="alert">
            {problem}
          </Text>
        ))}
        <TextInput
          label="Name"
          disabled={locked}
          value={step.name ?? ''}
          onChange={(event) => onChange({ name: event.currentTarget.value || null })}
        />
        {step.branch_condition && (
          <Group grow gap="sm">
            <Select
              label="Taken"
              allowDeselect={false}
              disabled={locked}
              data={Object.entries(CONDITIONS).map(([value, text]) => ({ value, label: text }))}
              value={step.branch_condition.type}
              onChange={(type) =>
                type && onChange({ branch_condition: { ...step.branch_condition, type } as Draft['branch_condition'] })
              }
            />
            <NumberInput
              label="Within days"
              min={0}
              max={90}
              disabled={locked}
              value={step.branch_condition.after_days ?? 0}
              onChange={(days) =>
                onChange({
                  branch_condition: {
                    ...step.branch_condition,
                    after_days: Number(days) || 0,
                  } as Draft['branch_condition'],
                })
              }
            />
          </Group>
        )}
        <Group grow gap="sm">
          <NumberInput
            label="Wait days"
            min={0}
            max={365}
            disabled={locked}
            value={step.delay_days}
            onChange={(days) => onChange({ delay_days: Number(days) || 0 })}
          />
          <NumberInput
            label="and hours"
            min={0}
            max={23}
            disabled={locked}
            value={step.delay_hours}
            onChange={(hours) => onChange({ delay_hours: Number(hours) || 0 })}
          />
        </Group>
        {channel && (
          <Group grow gap="sm" align="flex-start">
            <Select
              label="Done"
              allowDeselect={false}
              disabled={locked}
              data={[
                { value: 'automatic', label: 'By itself' },
                { value: 'manual', label: 'By hand, as a task' },
              ]}
              value={step.execution_mode}
              onChange={(mode) => mode && onChange({ execution_mode: mode as Draft['execution_mode'] })}
            />
            <MultiSelect
              size="sm"
              label="From"
              disabled={locked}
              placeholder={step.sender_ids.length ? undefined : 'The owners’ accounts'}
              data={accounts
                .filter((one) => one.provider === channel && one.status !== 'disconnected')
                .map((one) => ({ value: one.id, label: one.name }))}
              value={step.sender_ids}
              onChange={(ids) => onChange({ sender_ids: ids })}
            />
          </Group>
        )}
        {step.type === 'email' && (
          <TextInput
            label="Subject"
            description="Empty: it answers in the thread of the last email"
            disabled={locked}
            maxLength={255}
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
              maxLength={20_000}
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
            <Preview step={step} as={as} onAs={setAs} sender={sender?.name ?? ''} />
          </>
        )}
      </Stack>
    </Card>
  )
}

type PreviewProps = { step: Draft; as: string | null; onAs: (id: string | null) => void; sender: string }

function Preview({ step, as, onAs, sender }: PreviewProps) {
  const contact = useGet<Contact>(as ? `/contacts/${as}` : null).data?.data
  const draw = (template: string) =>
    preview(template, contact, sender).map((piece, index) =>
      piece.missing ? (
        <mark
          key={index}
          className={classes.missing}
          title="Missing: the enrollment would fail here. Give it a default."
        >
          {piece.text}
        </mark>
      ) : (
        <span key={index}>{piece.text}</span>
      ),
    )
  return (
    <div>
      <ContactPicker label="Preview as" value={as} onPick={onAs} placeholder="A contact" />
      {contact && (
        <div
          className="grammar"
          style={{ marginTop: 8, fontFamily: 'inherit', whiteSpace: 'pre-wrap' }}
          data-testid="preview"
        >
          {step.subject && <div style={{ fontWeight: 600, marginBottom: 6 }}>{draw(step.subject)}</div>}
          {draw(step.body ?? '')}
        </div>
      )}
    </div>
  )
}
