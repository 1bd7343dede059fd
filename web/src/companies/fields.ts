import { useList } from '../api/query'
import { customFields, type Field } from '../fields/spec'
import { COMPANY } from '../fields/tables'

export function useCompanyFields(): Field[] {
  const custom = useList('/companies/custom-fields', undefined, { staleTime: 300_000 }).data?.data ?? []
  return [...COMPANY, ...customFields(custom)]
}
