import { useList } from '../api/query'
import type { CustomField } from '../api/types'
import { customFields, type Field, options } from '../fields/spec'

export const CONTACT_FIELDS: Field[] = [
  { key: 'name', label: 'Name', type: 'name', width: 200, sort: true, readonly: true, filter: false },
  { key: 'first_name', label: 'First name', type: 'text', width: 130, sort: true, required: true },
  { key: 'last_name', label: 'Last name', type: 'text', width: 130, sort: true },
  { key: 'title', label: 'Title', type: 'text', width: 210, sort: true },
  { key: 'current_company', label: 'Company', type: 'text', width: 180, sort: true },
  { key: 'company_id', label: 'Linked company', type: 'company', width: 160 },
  { key: 'emails', label: 'Email', type: 'emails', width: 220, filter: 'email' },
  { key: 'phones', label: 'Phone', type: 'phones', width: 150, filter: 'phone' },
  { key: 'location', label: 'Location', type: 'text', width: 150 },
  {
    key: 'global_status',
    label: 'Status',
    type: 'choice',
    width: 120,
    required: true,
    options: options('new', 'contacted', 'replied', 'qualified', 'archived'),
  },
  {
    key: 'contact_type',
    label: 'Type',
    type: 'choice',
    width: 110,
    required: true,
    options: options('candidate', 'client', 'prospect', 'other'),
  },
  { key: 'tags', label: 'Tags', type: 'tags', width: 200 },
  { key: 'skills', label: 'Skills', type: 'list', width: 220 },
  { key: 'languages', label: 'Languages', type: 'list', width: 140 },
  { key: 'years_experience', label: 'Years of experience', type: 'number', width: 150, sort: true },
  { key: 'network_profile', label: 'Network profile', type: 'url', width: 200 },
  { key: 'do_not_contact', label: 'Do not contact', type: 'boolean', width: 120, required: true },
  { key: 'summary', label: 'Summary', type: 'long', width: 240, filter: false },
  { key: 'last_contacted_at', label: 'Last contacted', type: 'time', width: 130, sort: true, readonly: true },
  { key: 'created_at', label: 'Added', type: 'time', width: 120, sort: true, readonly: true },
  { key: 'updated_at', label: 'Changed', type: 'time', width: 120, sort: true, readonly: true },
]

export function useContactFields(): Field[] {
  const custom = useList<CustomField>('/contacts/custom-fields', undefined, { staleTime: 300_000 }).data?.data ?? []
  return [...CONTACT_FIELDS, ...customFields(custom)]
}
