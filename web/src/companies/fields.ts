import { useList } from '../api/query'
import type { CustomField } from '../api/types'
import { customFields, type Field, options } from '../fields/spec'

export const COMPANY_FIELDS: Field[] = [
  { key: 'name', label: 'Name', type: 'text', width: 220, sort: true, required: true },
  { key: 'domain', label: 'Domain', type: 'text', width: 180 },
  { key: 'website', label: 'Website', type: 'url', width: 180 },
  { key: 'industry', label: 'Industry', type: 'text', width: 160 },
  { key: 'location', label: 'Location', type: 'text', width: 160 },
  {
    key: 'size_range',
    label: 'Size',
    type: 'choice',
    width: 120,
    options: options('1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+'),
  },
  { key: 'employee_count', label: 'Employees', type: 'number', width: 110, sort: true },
  { key: 'contacts_count', label: 'People', type: 'number', width: 90, readonly: true, filter: false },
  { key: 'deals_count', label: 'Deals', type: 'number', width: 80, readonly: true, filter: false },
  { key: 'owner_id', label: 'Owner', type: 'member', width: 150 },
  { key: 'tags', label: 'Tags', type: 'tags', width: 200 },
  { key: 'phone', label: 'Phone', type: 'text', width: 140, filter: false },
  { key: 'email', label: 'Email', type: 'text', width: 200, filter: false },
  { key: 'network_profile', label: 'Network profile', type: 'url', width: 200, filter: false },
  { key: 'description', label: 'Description', type: 'long', width: 240, filter: false },
  { key: 'created_at', label: 'Added', type: 'time', width: 120, sort: true, readonly: true },
  { key: 'updated_at', label: 'Changed', type: 'time', width: 120, sort: true, readonly: true },
]

export function useCompanyFields(): Field[] {
  const custom = useList<CustomField>('/companies/custom-fields', undefined, { staleTime: 300_000 }).data?.data ?? []
  return [...COMPANY_FIELDS, ...customFields(custom)]
}
