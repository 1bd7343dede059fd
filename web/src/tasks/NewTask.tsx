import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { today } from '../fields/format'
import { ContactPicker } from '../fields/Pickers'
import { labelsOf, options } from '../fields/spec'
import { TASK_CHOICES, TASK_FIELDS } from '../generated/fields'
import { personName, useMembers, useSession } from '../session'
import { notify } from '../shell/notices'
import { QuickAdd } from '../table/QuickAdd'

export const TASK_TYPES = options(...TASK_CHOICES.type)

const label = labelsOf(TASK_FIELDS)

export function NewTask({
  opened,
  onClose,
  on,
}: {
  opened: boolean
  onClose: () => void
  on?: Record<string, string | undefined>
}) {
  const { members } = useMembers()
  const session = useSession()
  return (
    <QuickAdd
      title="New task"
      path="/tasks"
      opened={opened}
      onClose={onClose}
      onMade={(task) => notify(`Task “${task.title}” added`)}
      initial={{
        title: '',
        description: '',
        type: 'todo',
        priority: 'medium',
        due_date: today(),
        assigned_to: session.user.user_id,
        contact_id: null,
        ...on,
      }}
    >
      {(form) => (
        <>
          <TextInput label={label('title')} required data-autofocus {...form.text('title')} />
          <Group grow gap="sm" align="flex-start">
            <Select
              label={label('type')}
              allowDeselect={false}
              data={TASK_TYPES}
              value={form.choice('type')}
              onChange={(value) => form.set('type', value)}
            />
            <TextInput label={label('due_date')} type="date" {...form.text('due_date')} />
          </Group>
          <Group grow gap="sm" align="flex-start">
            <Select
              label={label('priority')}
              allowDeselect={false}
              data={options(...TASK_CHOICES.priority)}
              value={form.choice('priority')}
              onChange={(value) => form.set('priority', value)}
            />
            <Select
              label={label('assigned_to')}
              data={members.map((one) => ({ value: one.user_id, label: personName(one) }))}
              value={form.choice('assigned_to')}
              onChange={(value) => form.set('assigned_to', value)}
            />
          </Group>
          {!on && (
            <ContactPicker
              label="About"
              size="sm"
              value={form.choice('contact_id')}
              onPick={(id) => form.set('contact_id', id)}
            />
          )}
          <Textarea label={label('description')} autosize minRows={2} {...form.text('description')} />
        </>
      )}
    </QuickAdd>
  )
}
