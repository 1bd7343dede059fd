import type { Problem } from '../api/client'
import type { BodyOf } from '../api/paths'
import type { ConnectedAccount, Step } from '../api/types'
import { words } from '../fields/spec'
import { CONTACT } from '../fields/tables'
import { STEP_LABELS, TEMPLATE_VARIABLES } from '../generated/fields'

/** A step that is being edited; `key` identifies it until the server gives it an id. */
export type Draft = Omit<
  Step,
  'id' | 'position' | 'content_template' | 'entry_conditions' | 'client_key' | 'sender_ids'
> & {
  key: string
  id?: string
  sender_ids: string[]
  content_template?: Step['content_template']
  entry_conditions?: Step['entry_conditions']
}

export type StepType = Step['type']

export const STEP_TYPES: { value: StepType; label: string; channel: 'email' | 'network' | 'chat' | null }[] = [
  { value: 'email', label: 'Email', channel: 'email' },
  { value: 'network_connect', label: 'Network invitation', channel: 'network' },
  { value: 'network_message', label: 'Network message', channel: 'network' },
  { value: 'network_inmail', label: 'Network InMail', channel: 'network' },
  { value: 'network_visit', label: 'Network visit', channel: 'network' },
  { value: 'chat', label: 'Chat message', channel: 'chat' },
  { value: 'call', label: 'Call', channel: null },
  { value: 'task', label: 'Task', channel: null },
]

export const typeOf = (type: StepType) => STEP_TYPES.find((one) => one.value === type) ?? STEP_TYPES[0]

type Condition = NonNullable<Step['branch_condition']>['type']

export const CONDITIONS: { value: Condition; label: string }[] = [
  { value: 'replied', label: 'if they reply' },
  { value: 'not_replied', label: 'if they don’t reply' },
  { value: 'opened', label: 'if they open it' },
  { value: 'clicked', label: 'if they click a link' },
  { value: 'invite_accepted', label: 'if they accept' },
  { value: 'invite_not_accepted', label: 'if they don’t accept' },
  { value: 'has_email', label: 'if they have an email address' },
  { value: 'has_phone', label: 'if they have a phone number' },
  { value: 'has_network_profile', label: 'if they have a network profile' },
  { value: 'otherwise', label: 'otherwise' },
]

export const conditionLabel = (type: Condition) => CONDITIONS.find((one) => one.value === type)?.label

let made = 0
export const newKey = () => `step-${Date.now().toString(36)}-${++made}`

export function fromSteps(steps: Step[]): Draft[] {
  return steps.map(({ position: _, client_key: __, ...step }) => ({ ...step, key: step.id }))
}

/** The steps as the API expects them: each before its children. */
export function toSteps(drafts: Draft[]): NonNullable<BodyOf<`/sequences/${string}`, 'put'>['steps']> {
  return drafts.map(({ key, id, ...step }) => (id ? { id, ...step } : { client_key: key, ...step }))
}

export const stem = (drafts: Draft[]) => drafts.filter((one) => !one.parent_step_id)
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
  const member = field.split('.')[0]
  return LABELS[member] ?? words(member)
}

/** `steps.0.body` and a reason as `Email 1, Text: …`. */
export function inWords(steps: Named[], { field, reason }: Problem): string {
  const [, index, member] = /^steps\.(\d+)\.?(.*)$/.exec(field) ?? []
  if (index === undefined) return field === 'steps' ? reason : `${words(field)}: ${reason}`
  const name = nameOfStep(steps[Number(index)], Number(index))
  return member ? `${name}, ${labelOf(member)}: ${reason}` : `${name}: ${reason}`
}

export type Trouble = { key: string | null; text: string }

const KNOWN: ReadonlySet<string> = new Set(TEMPLATE_VARIABLES)

/** The variables with a button: texts by which contacts are sorted, names of other records, the first free variable. */
export const VARIABLES: string[] = [
  ...CONTACT.filter((one) => one.type === 'text' && one.sort && KNOWN.has(one.key)).map((one) => one.key),
  ...TEMPLATE_VARIABLES.filter((name) => name.includes('.') || name === 'custom_variable_1'),
]

/** Problems that would prevent the start, found without the server. */
export function troubles(drafts: Draft[], accounts: ConnectedAccount[]): Trouble[] {
  const found: Trouble[] = []
  if (drafts.length === 0) found.push({ key: null, text: 'There is no step yet' })
  for (const [index, step] of drafts.entries()) {
    const name = nameOfStep(step, index)
    const channel = typeOf(step.type).channel
    if (step.type === 'email' && !step.subject?.trim() && !answersThread(drafts, step.key))
      found.push({ key: step.key, text: `${name}: the first email needs a subject` })
    if (['email', 'network_message', 'network_inmail', 'chat'].includes(step.type) && !step.body?.trim()) {
      found.push({ key: step.key, text: `${name}: there is no text` })
    }
    if (channel && step.execution_mode === 'automatic') {
      const usable = accounts.some((one) => one.provider === channel && one.status !== 'disconnected')
      if (!usable) found.push({ key: step.key, text: `${name}: no ${channel} account is connected` })
    }
    const written = `${step.subject ?? ''} ${step.body ?? ''}`
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

export const variablesIn = (text: string) => [...text.matchAll(/\{\{-?\s*([\w.]+)/g)].map((match) => match[1])
