import { useList } from '../api/query'
import type { CustomField } from '../api/types'
import { customFields, type Field } from '../fields/spec'
import { CONTACT } from '../fields/tables'

/** First and last name in one column. */
const NAME: Field = { key: 'name', label: 'Name', type: 'name', width: 200, sort: true, readonly: true, filter: false }

export const CONTACT_COLUMNS: Field[] = [NAME, ...CONTACT]

export function useContactFields(): Field[] {
  const custom = useList<CustomField>('/contacts/custom-fields', undefined, { staleTime: 300_000 }).data?.data ?? []
  return [...CONTACT_COLUMNS, ...customFields(custom)]
}
