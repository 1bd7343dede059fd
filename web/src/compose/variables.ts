import { humanize } from '../fields/spec'
import { CONTACT } from '../fields/tables'
import { TEMPLATE_VARIABLES } from '../generated/fields'

export const KNOWN: ReadonlySet<string> = new Set(TEMPLATE_VARIABLES)

/** Variables that only the steps of sequences have. */
const OF_STEPS = /^(project\.|unsubscribe_url$|custom_variable_)/

/** The variables of a step in a menu: texts by which contacts are sorted, names of other records, the first free one. */
export const STEP_VARIABLES: string[] = [
  ...CONTACT.filter((one) => one.type === 'text' && one.sort && KNOWN.has(one.key)).map((one) => one.key),
  ...TEMPLATE_VARIABLES.filter(
    (name) => name.includes('.') || name === 'unsubscribe_url' || name === 'custom_variable_1',
  ),
]

/** The variables of a message template in a menu. */
export const MESSAGE_VARIABLES = STEP_VARIABLES.filter((name) => !OF_STEPS.test(name))

/** Whether a name is filled in in the steps of sequences. */
export const isStepVariable = (name: string) => KNOWN.has(name) || /^custom_data\.\w+$/.test(name)

/** Whether a name is filled in in messages. */
export const isMessageVariable = (name: string) => isStepVariable(name) && !OF_STEPS.test(name)

/** `sender.first_name` as `Sender first name`. */
export const variableLabel = (name: string) =>
  CONTACT.find((one) => one.key === name)?.label ?? humanize(name.replace('.', ' ').replace(/_url$/, '_link'))

/** A variable as it is written in a template. Names of people get a fallback. */
export const placeholder = (name: string) =>
  name === 'first_name' ? '{{ first_name | default("there") }}' : `{{ ${name} }}`

/** The names of the variables in a text. */
export const variablesIn = (text: string) => [...text.matchAll(/\{\{-?\s*([\w.]+)/g)].map((match) => match[1])

/** What is left to fill in: placeholders and statements. */
export const placeholdersIn = (text: string) => text.match(/\{\{[^{}]*\}\}|\{%[^{}]*%\}/g) ?? []
