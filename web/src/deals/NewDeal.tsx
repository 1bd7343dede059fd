import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useList } from '../api/query'
import { CompanyPicker } from '../fields/Pickers'
import { labelsOf } from '../fields/spec'
import { DEAL_FIELDS } from '../generated/fields'
import { useSession } from '../session'
import { notify } from '../shell/notices'
import { QuickAdd } from '../table/QuickAdd'

const label = labelsOf(DEAL_FIELDS)

type Props = { opened: boolean; onClose: () => void; initial?: Record<string, unknown>; stay?: boolean }

export function NewDeal({ opened, onClose, initial, stay }: Props) {
  const navigate = useNavigate()
  const session = useSession()
  const pipelines = useList(opened ? '/deal-pipelines' : null).data?.data ?? []
  if (!opened) return null
  return (
    <QuickAdd
      title="New deal"
      path="/deals"
      opened
      onClose={onClose}
      onMade={(deal) => {
        notify(`Deal “${deal.title}” added`)
        if (!stay) navigate({ to: '/deals/$id', params: { id: deal.id } })
      }}
      initial={{
        title: '',
        amount: '',
        currency: session.workspace.currency,
        company_id: null,
        expected_close_date: '',
        pipeline_id: null,
        stage_id: null,
        ...initial,
      }}
    >
      {(form) => {
        const pipeline = pipelines.find((one) => one.id === form.values.pipeline_id) ?? pipelines[0]
        return (
          <>
            <TextInput label={label('title')} required data-autofocus {...form.text('title')} />
            <Group grow gap="sm" align="flex-start">
              <NumberInput
                label={label('amount')}
                min={0}
                decimalScale={4}
                thousandSeparator=" "
                hideControls
                value={form.choice('amount') ?? ''}
                onChange={(value) => form.set('amount', value)}
                error={form.error('amount')}
              />
              <TextInput label={label('currency')} maxLength={3} {...form.text('currency')} />
            </Group>
            <CompanyPicker
              label={label('company_id')}
              size="sm"
              value={form.choice('company_id')}
              onPick={(id) => form.set('company_id', id)}
            />
            <Group grow gap="sm" align="flex-start">
              <Select
                label="Pipeline"
                allowDeselect={false}
                data={pipelines.map((one) => ({ value: one.id, label: one.name }))}
                value={pipeline?.id ?? null}
                onChange={(id) => {
                  form.set('pipeline_id', id)
                  form.set('stage_id', null)
                }}
              />
              <Select
                label={label('stage_id')}
                data={pipeline?.stages.map((one) => ({ value: one.id, label: one.name })) ?? []}
                value={form.choice('stage_id') ?? pipeline?.stages[0]?.id ?? null}
                onChange={(id) => {
                  form.set('pipeline_id', pipeline?.id)
                  form.set('stage_id', id)
                }}
              />
            </Group>
            <TextInput label={label('expected_close_date')} type="date" {...form.text('expected_close_date')} />
          </>
        )
      }}
    </QuickAdd>
  )
}
