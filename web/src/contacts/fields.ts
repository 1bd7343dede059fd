import { useList } from '../api/query'
import { customFields, type Field } from '../fields/spec'
import { CONTACT } from '../fields/tables'

/** First and last name in one column. */
const NAME: Field = { key: 'name', label: 'Name', type: 'name', width: 200, sort: true, readonly: true, filter: false }

export const CONTACT_COLUMNS: Field[] = [NAME, ...CONTACT]

export function useContactFields(): Field[] {
  const custom = useList('/contacts/custom-fields', undefined, { staleTime: 300_000 }).data?.data ?? []
  return [...CONTACT_COLUMNS, ...customFields(custom)]
}
