import type { Problem } from '../api/client'
import type { BodyOf } from '../api/paths'
import type { ConnectedAccount, Step } from '../api/types'
import { KNOWN, variablesIn } from '../compose/variables'
import { humanize } from '../fields/spec'
import { STEP_LABELS } from '../generated/fields'

/** A step that is being edited; `key` identifies it until the server gives it an id. */
export type Draft = Omit<
  Step,
  'id' | 'position' | 'content_template' | 'entry_conditions' | 'client_key' | 'sender_ids' | 'variants'
> & {
  key: string
  id?: string
  sender_ids: string[]
  variants: VariantDraft[]
  content_template?: Step['content_template']
  entry_conditions?: Step['entry_conditions']
}

/** A variant that is being edited; `key` identifies it until the server gives it an id. */
export type VariantDraft = Omit<Step['variants'][number], 'id'> & { key: string; id?: string }

export type StepType = Step['type']

type StepTypeInfo = { label: string; channel: 'email' | 'network' | 'chat' | null }

/** The label of each type of step, and the channel of its message. */
const STEP_TYPES: Record<StepType, StepTypeInfo> = {
  email: { label: 'Email', channel: 'email' },
  network_connect: { label: 'Network invitation', channel: 'network' },
  network_message: { label: 'Network message', channel: 'network' },
  network_inmail: { label: 'Network InMail', channel: 'network' },
  network_visit: { label: 'Network visit', channel: 'network' },
  chat: { label: 'Chat message', channel: 'chat' },
  call: { label: 'Call', channel: null },
  task: { label: 'Task', channel: null },
}

export const typeOf = (type: StepType) => STEP_TYPES[type]

type Condition = NonNullable<Step['branch_condition']>['type']

/** The label of each condition of a branch. */
export const CONDITIONS: Record<Condition, string> = {
  replied: 'If they reply',
  not_replied: 'If they don’t reply',
  opened: 'If they open it',
  clicked: 'If they click a link',
  invite_accepted: 'If they accept',
  invite_not_accepted: 'If they don’t accept',
  has_email: 'If they have an email address',
  has_phone: 'If they have a phone number',
  has_network_profile: 'If they have a network profile',
  otherwise: 'Otherwise',
}

let made = 0
export const newKey = () => `step-${Date.now().toString(36)}-${++made}`

export function fromSteps(steps: Step[]): Draft[] {
  return steps.map(({ position: _, client_key: __, ...step }) => ({
    ...step,
    key: step.id,
    variants: step.variants.map((one) => ({ ...one, key: one.id })),
  }))
}

/** The steps as the API expects them: each before its children. */
export function toSteps(drafts: Draft[]): NonNullable<BodyOf<`/sequences/${string}`, 'put'>['steps']> {
  return drafts.map(({ key, id, variants, ...rest }) => {
    const step = { ...rest, variants: variants.map(({ key: _, id, ...one }) => (id ? { id, ...one } : one)) }
    return id ? { id, ...step } : { client_key: key, ...step }
  })
}

/** The drafts with the ids that the server gave to their new variants. `saved` has the drafts that were saved. */
export function withVariantIds(drafts: Draft[], saved: Draft[], steps: Step[]): Draft[] {
  const ids = new Map(
    saved.flatMap((step, at) => step.variants.map((one, index) => [one.key, steps[at]?.variants[index]?.id])),
  )
  return drafts.map((step) => ({
    ...step,
    variants: step.variants.map((one) => ({ ...one, id: one.id ?? ids.get(one.key) })),
  }))
}

/** A, B, C, … */
export const letterOf = (index: number) => String.fromCharCode(65 + index)

/** How many of 100 contacts get a variant. */
export const share = (variants: { weight: number }[], index: number) =>
  Math.round((100 * variants[index].weight) / variants.reduce((sum, one) => sum + one.weight, 0))

/** The texts of a step, each with what precedes its name in a problem. */
const textsOf = (step: Draft) =>
  step.variants.length
    ? step.variants.map(({ subject, body }, index) => ({ subject, body, where: `, variant ${letterOf(index)}` }))
    : [{ subject: step.subject, body: step.body, where: '' }]

/** Everything that is written in a step. */
export const writtenIn = (step: Draft) =>
  textsOf(step)
    .map(({ subject, body }) => `${subject ?? ''} ${body ?? ''}`)
    .join(' ')

/** Whether a problem is about the subject or the text, of the step or of a variant. */
export const isOfText = (field: string) => /^(variants\.\d+\.)?(subject|body)$/.test(field)

export const mainSteps = (drafts: Draft[]) => drafts.filter((one) => !one.parent_step_id)
export const childrenOf = (drafts: Draft[], key: string) => drafts.filter((one) => one.parent_step_id === key)

/** Removes a step together with its children. */
export function without(drafts: Draft[], key: string): Draft[] {
  const gone = new Set([key])
  for (let before = 0; before !== gone.size; ) {
    before = gone.size
    for (const one of drafts) if (one.parent_step_id && gone.has(one.parent_step_id)) gone.add(one.key)
  }
  return drafts.filter((one) => !gone.has(one.key))
}

/** Whether an earlier email is on the same path, so that this step can answer in that thread. */
export function answersThread(drafts: Draft[], key: string): boolean {
  const at = (one: string) => drafts.findIndex((draft) => draft.key === one)
  const seen: Draft[] = []
  let first = drafts[at(key)]
  while (first?.parent_step_id) {
    const parent = drafts[at(first.parent_step_id)]
    if (!parent || seen.includes(parent)) break
    seen.push(parent)
    first = parent
  }
  const before = first ? drafts.slice(0, at(first.key)).filter((one) => !one.parent_step_id) : []
  return [...seen, ...before].some((one) => one.type === 'email')
}

type Named = { type: StepType; name?: string | null }

export const nameOfStep = (step: Named | undefined, index: number) =>
  step?.name || `${step ? typeOf(step.type).label : 'Step'} ${index + 1}`

const LABELS: Record<string, string> = STEP_LABELS

/** The label of a step's member. */
export const labelOf = (field: string) => {
  const [, variant, own] = /^variants\.(\d+)\.(.+)$/.exec(field) ?? []
  const member = (own ?? field).split('.')[0]
  const label = LABELS[member] ?? humanize(member)
  return variant ? `Variant ${letterOf(Number(variant))}, ${label}` : label
}

/** The switches of the schedule that conditions of branches depend on. */
const SWITCHES: Record<string, string> = {
  stop_on_reply: 'Stop on reply',
  track_opens: 'Count opens',
  track_clicks: 'Count clicks',
}

/** A reason of the server in the words of the screens, where it names a member of the schedule. */
export const reasonInWords = (reason: string) =>
  reason.replace(/^\w+ needs schedule_config\.(\w+) (true|false)$/, (_, member, value) => {
    const name = SWITCHES[member] ?? humanize(member)
    return `“${name}” in the schedule must be ${value === 'true' ? 'on' : 'off'} for this condition`
  })

/** `steps.0.body` and a reason as `Email 1, Text: …`. */
export function inWords(steps: Named[], { field, reason: raw }: Problem): string {
  const reason = reasonInWords(raw)
  const [, index, member] = /^steps\.(\d+)\.?(.*)$/.exec(field) ?? []
  if (index === undefined) return field === 'steps' ? reason : `${humanize(field)}: ${reason}`
  const name = nameOfStep(steps[Number(index)], Number(index))
  return member ? `${name}, ${labelOf(member)}: ${reason}` : `${name}: ${reason}`
}

/** `steps.0, steps.1.variants.0, steps.2.body` in a text as `Email 1, Email 2 (variant A), Email 3 (Text)`. */
export const withNames = (steps: Named[], text: string) =>
  text.replace(/\bsteps\.(\d+)(?:\.variants\.(\d+))?(?:\.(subject|body))?/g, (_, index, variant, member) => {
    const parts = [
      ...(variant === undefined ? [] : [`variant ${letterOf(Number(variant))}`]),
      ...(member === undefined ? [] : [labelOf(member)]),
    ]
    const name = nameOfStep(steps[Number(index)], Number(index))
    return parts.length > 0 ? `${name} (${parts.join(', ')})` : name
  })

export type StartProblem = { key: string | null; text: string }

/** Problems that would prevent the start, found without the server. */
export function startProblems(drafts: Draft[], accounts: ConnectedAccount[]): StartProblem[] {
  const found: StartProblem[] = []
  if (drafts.length === 0) found.push({ key: null, text: 'There is no step yet' })
  for (const [index, step] of drafts.entries()) {
    const name = nameOfStep(step, index)
    const channel = typeOf(step.type).channel
    for (const { subject, body, where } of textsOf(step)) {
      if (step.type === 'email' && !subject?.trim() && !answersThread(drafts, step.key))
        found.push({ key: step.key, text: `${name}${where}: the first email needs a subject` })
      if (['email', 'network_message', 'network_inmail', 'chat'].includes(step.type) && !body?.trim())
        found.push({ key: step.key, text: `${name}${where}: there is no text` })
    }
    if (channel && step.execution_mode === 'automatic') {
      const usable = accounts.some((one) => one.provider === channel && one.status !== 'disconnected')
      if (!usable) found.push({ key: step.key, text: `${name}: no ${channel} account is connected` })
    }
    const written = writtenIn(step)
    const statement = otherStatement(written)
    if (statement)
      found.push({
        key: step.key,
        text: `${name}: {% ${statement} %} is not allowed; templates may contain names, filters and {% if %}`,
      })
    // Names that such a statement defines are not an error.
    for (const used of statement ? [] : variablesIn(written)) {
      if (!KNOWN.has(used) && !used.startsWith('custom_data.'))
        found.push({ key: step.key, text: `${name}: “${used}” is not a variable` })
    }
    if (step.parent_step_id && !drafts.some((one) => one.key === step.parent_step_id))
      found.push({ key: step.key, text: `${name}: is not connected to a step` })
  }
  return found
}

/** The first statement that is not allowed in templates. */
export const otherStatement = (text: string) =>
  [...text.matchAll(/\{%[-+]?\s*(\w+)/g)]
    .map((match) => match[1])
    .find((word) => !['if', 'elif', 'else', 'endif'].includes(word))
