import { Group, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Contact } from '../api/types'
import { CompanyPicker } from '../fields/Pickers'
import { labelsOf, options } from '../fields/spec'
import { CONTACT_CHOICES, CONTACT_FIELDS } from '../generated/fields'
import { personName } from '../session'
import { notify } from '../shell/notices'
import { QuickAdd } from '../table/QuickAdd'

const label = labelsOf(CONTACT_FIELDS)

type Props = { opened: boolean; onClose: () => void; companyId?: string; onMade?: (contact: Contact) => void }

export function NewContact({ opened, onClose, companyId, onMade }: Props) {
  const navigate = useNavigate()
  return (
    <QuickAdd
      title="New contact"
      path="/contacts"
      opened={opened}
      onClose={onClose}
      onMade={(contact) => {
        notify(`${personName(contact)} added`)
        if (onMade) onMade(contact)
        else navigate({ to: '/contacts/$id', params: { id: contact.id } })
      }}
      initial={{
        first_name: '',
        last_name: '',
        email: '',
        phone: '',
        title: '',
        company_id: companyId ?? null,
        contact_type: 'candidate',
      }}
    >
      {(form) => (
        <>
          <Group grow gap="sm" align="flex-start">
            <TextInput label={label('first_name')} required data-autofocus {...form.text('first_name')} />
            <TextInput label={label('last_name')} {...form.text('last_name')} />
          </Group>
          <Group grow gap="sm" align="flex-start">
            <TextInput label={label('emails')} type="email" {...form.text('email')} />
            <TextInput label={label('phones')} {...form.text('phone')} />
          </Group>
          <TextInput label={label('title')} {...form.text('title')} />
          <Group grow gap="sm" align="flex-start">
            <CompanyPicker
              label={label('company_id')}
              size="sm"
              value={form.choice('company_id')}
              onPick={(id) => form.set('company_id', id)}
              error={form.error('company_id')}
            />
            <Select
              label={label('contact_type')}
              allowDeselect={false}
              data={options(...CONTACT_CHOICES.contact_type)}
              value={form.choice('contact_type')}
              onChange={(value) => form.set('contact_type', value)}
            />
          </Group>
        </>
      )}
    </QuickAdd>
  )
}
