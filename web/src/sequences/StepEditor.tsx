import { Button, Group, MultiSelect, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { ApiError, type Problem } from '../api/client'
import type { ConnectedAccount, MessageTemplate, Step, WholeSequence } from '../api/types'
import { SubjectInput } from '../compose/BraceWarning'
import { isHtml } from '../compose/draft'
import { plainText } from '../compose/formatted'
import { insertAt } from '../compose/insert'
import { TemplateMenu, VariableMenu } from '../compose/Menus'
import { TextEditor } from '../compose/TextEditor'
import type { TextField } from '../compose/textField'
import { isStepVariable, placeholder, STEP_VARIABLES } from '../compose/variables'
import { sentence } from '../fields/format'
import { ContactPicker } from '../fields/Pickers'
import { optionsOf } from '../fields/spec'
import { useCan } from '../session'
import { Card } from '../shell/Page'
import { Preview, usePreview } from './Preview'
import { StepMail } from './StepMail'
import { answersThread, CONDITIONS, type Draft, labelOf, reasonInWords, typeOf } from './steps'
import { TestStep } from './TestStep'
import { VariantActions, Variants } from './Variants'

type Props = {
  sequence: WholeSequence
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
  isDirty: boolean
  /** Saves unsaved changes; returns this step as it is stored. */
  stored: () => Promise<Step | undefined>
  /** Gets the server's problems with this step. */
  onRefused: (problems: Problem[]) => void
}

const EXECUTION_MODES: Record<Step['execution_mode'], string> = { automatic: 'Automatic', manual: 'Manual task' }

/** The members whose problems are shown at their fields. */
const PLACED = [
  'name',
  'delay_days',
  'delay_hours',
  'sender_ids',
  'branch_condition',
  'subject',
  'body',
  'cc',
  'bcc',
  'reply_to',
  'attachments',
]

/** The field at which a problem is shown; `at` is the index of the shown variant. */
function placeOf(field: string, at: number | undefined): string {
  const [, index, own] = /^variants\.(\d+)\.(\w+)/.exec(field) ?? []
  if (index === undefined) return field.split('.')[0]
  if (Number(index) !== at) return ''
  return own === 'name' ? 'variant_name' : own
}

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
  isDirty,
  stored,
  onRefused,
}: Props) {
  const subject = useRef<HTMLInputElement>(null)
  const body = useRef<TextField>(null)
  // A variable goes where the cursor was last.
  const [isInSubject, setInSubject] = useState(false)
  const may = useCan('sequences:write')
  const { channel, label } = typeOf(step.type)
  const [shown, setShown] = useState(0)
  /** The index of the variant whose text is edited, if there are variants. */
  const at = step.variants.length ? Math.min(shown, step.variants.length - 1) : undefined
  const content = at === undefined ? step : step.variants[at]
  const write = (changes: { subject?: string | null; body?: string | null }) =>
    onChange(
      at === undefined
        ? changes
        : { variants: step.variants.map((one, index) => (index === at ? { ...one, ...changes } : one)) },
    )
  const preview = usePreview(sequence.id, drafts, step.key, as, at)
  const own = `steps.${drafts.indexOf(step)}.`
  const refused = preview.error instanceof ApiError ? preview.error.problems : []
  const all = [
    ...problems,
    ...(preview.data?.problems ?? []),
    ...refused.flatMap((one) => (one.field.startsWith(own) ? [{ ...one, field: one.field.slice(own.length) }] : [])),
  ]
  const isWrong = (index: number) => all.some((one) => one.field.startsWith(`variants.${index}.`))
  /** Every reason once, each on its own line. Those of the shown variant are at its fields. */
  const wrong = (...fields: string[]) => {
    const reasons = new Set(all.filter((one) => fields.includes(placeOf(one.field, at))).map((one) => one.reason))
    if (reasons.size === 0) return undefined
    return [...reasons].map((reason) => (
      <span key={reason} style={{ display: 'block' }}>
        {sentence(reasonInWords(reason))}
      </span>
    ))
  }
  const insert = (text: string) => {
    if (isEmail && isInSubject) write({ subject: insertAt(subject.current, content.subject ?? '', text) })
    else body.current?.insert(text)
  }
  const take = (template: MessageTemplate) => {
    const words = isEmail ? template.content : plainText(template.content)
    if (isEmail && !content.subject && template.subject) write({ subject: template.subject })
    if (content.body?.trim()) body.current?.insertParagraph(words)
    else write({ body: words })
  }
  const isEmail = step.type === 'email'
  const isMail = isEmail && step.execution_mode === 'automatic'
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
          .filter((one) => !PLACED.includes(one.field.split('.')[0]) && !/^variants\.\d+\.\w/.test(one.field))
          .map((one) => (
            <Text key={one.field + one.reason} size="sm" c="red" role="alert">
              {one.field ? `${labelOf(one.field)}: ${one.reason}` : sentence(one.reason)}
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
              data={optionsOf(CONDITIONS)}
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
            label="Wait hours"
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
              data={optionsOf(EXECUTION_MODES)}
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
        {at !== undefined && (
          <Variants
            step={step}
            at={at}
            onShow={setShown}
            locked={locked}
            isWrong={isWrong}
            wrong={wrong}
            onChange={onChange}
          />
        )}
        {isEmail && (
          <SubjectInput
            ref={subject}
            label="Subject"
            isVariable={isStepVariable}
            onFocus={() => setInSubject(true)}
            description={
              answersThread(drafts, step.key)
                ? 'Leave it empty to answer in the thread of the last email'
                : 'This email begins a thread, so it needs a subject'
            }
            disabled={locked}
            error={wrong('subject')}
            value={content.subject ?? ''}
            onChange={(event) => write({ subject: event.currentTarget.value || null })}
          />
        )}
        {writes && (
          <>
            <TextEditor
              // Each variant has an editor, and with it a history, of its own.
              key={at}
              handle={body}
              label="Text"
              isLabelShown
              formats={isEmail}
              onFocus={() => setInSubject(false)}
              minRows={6}
              maxRows={20}
              isVariable={isStepVariable}
              error={wrong('body')}
              disabled={locked}
              value={content.body ?? ''}
              onChange={(text) => write({ body: text || null })}
            />
            {!locked && (
              <Group gap={4}>
                <TemplateMenu onPick={take} />
                <VariableMenu names={STEP_VARIABLES} onPick={(name) => insert(placeholder(name))} />
              </Group>
            )}
            {!locked && channel && (step.execution_mode === 'automatic' || at !== undefined) && (
              <VariantActions step={step} at={at ?? 0} onShow={setShown} onChange={onChange} />
            )}
            {isMail && (
              <StepMail project={sequence.project_id} step={step} locked={locked} wrong={wrong} onChange={onChange} />
            )}
            <div>
              <ContactPicker label="Preview as" value={as} onPick={onAs} placeholder="A contact" />
              <Preview {...preview} isFormatted={isEmail && isHtml(content.body ?? '')} />
            </div>
            {isMail && may && (
              <TestStep
                sequence={sequence.id}
                contact={as}
                isDirty={isDirty}
                variant={at}
                stored={stored}
                onRefused={onRefused}
              />
            )}
          </>
        )}
      </Stack>
    </Card>
  )
}
