import { useGet } from '../api/query'
import { day } from '../fields/format'
import type { Field } from '../fields/spec'
import { personName, useMembers } from '../session'
import { type Condition, filterOf, operatorsOf } from './grammar'

type Choice = { value: string; label: string }

const BOOLEANS: Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** The values that a field can have; undefined if there is no list of them. */
export function useChoices(field: Field | undefined): Choice[] | undefined {
  const { members } = useMembers()
  if (field?.type === 'boolean') return BOOLEANS
  if (field?.type === 'member') return members.map((one) => ({ value: one.user_id, label: personName(one) }))
  return field?.options?.map(({ value, label }) => ({ value, label }))
}

/** A condition in words, in its three parts. */
export function useWords(condition: Condition, fields: Field[]) {
  const field = fields.find((one) => filterOf(one) === condition.field)
  const operator = field && operatorsOf(field.type).find(({ op }) => op === condition.op)
  const choices = useChoices(field)
  const isCompany = field?.type === 'company' && condition.values[0]
  const company = useGet(isCompany ? `/companies/${condition.values[0]}` : null, undefined, { staleTime: 300_000 })
  const worded = (value: string) => {
    if (field?.type === 'company') return company.data?.data.name ?? '…'
    if (field?.type === 'date' || field?.type === 'time') return day(value)
    return choices?.find((one) => one.value === value)?.label ?? value
  }
  const values = operator?.value === 'many' ? condition.values : condition.values.slice(0, 1)
  return {
    label: field?.label ?? condition.field,
    operator: operator?.label ?? condition.op,
    value: operator?.value === 'none' ? '' : values.map(worded).join(', '),
  }
}
