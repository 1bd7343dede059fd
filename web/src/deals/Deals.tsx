import { Button, SegmentedControl, Select } from '@mantine/core'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useList } from '../api/query'
import { useCan } from '../session'
import { Empty, Loaded, Page } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import { ListTools } from '../table/ListTools'
import { SearchBox } from '../table/SearchBox'
import { useTableState } from '../table/state'
import { DealBoard } from './DealBoard'
import { DealTable } from './DealTable'
import { Forecast } from './Forecast'
import { dealFields, pipelineField } from './fields'
import { NewDeal } from './NewDeal'

const DEFAULTS = {
  columns: [
    'title',
    'stage_id',
    'amount',
    'status',
    'probability',
    'expected_close_date',
    'company_id',
    'owner_id',
    'updated_at',
  ],
  sort: '-updated_at',
  hideArchived: true,
}

export function Deals() {
  const state = useTableState(DEFAULTS)
  const may = useCan('deals:write')
  const pipelines = useList('/deal-pipelines')
  const all = pipelines.data?.data ?? []
  const pipeline = all.find((one) => one.id === state.filters.pipeline_id) ?? all[0]
  const layout = state.all.layout ?? 'board'
  const table = layout === 'table'
  const fields = dealFields(all)
  const add = () => state.set({ new: '1' })
  useKeys([['n', () => may && add()]])
  return (
    <Page
      title="Deals"
      flush
      head={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Layout"
            data={[
              { value: 'board', label: 'Board' },
              { value: 'table', label: 'Table' },
              { value: 'forecast', label: 'Forecast' },
            ]}
            value={layout}
            onChange={(next) => state.set({ layout: next === 'board' ? undefined : next })}
          />
          {layout === 'board' && all.length > 1 && (
            <Select
              size="xs"
              aria-label="Pipeline"
              allowDeselect={false}
              data={all.map((one) => ({ value: one.id, label: one.name }))}
              value={pipeline?.id ?? null}
              onChange={(id) => state.set({ pipeline_id: id ?? undefined })}
            />
          )}
        </>
      }
      actions={
        <>
          <SearchBox state={state} />
          {may && (
            <Button className="not-small" leftSection={<IconPlus size={14} />} onClick={add}>
              New deal
            </Button>
          )}
        </>
      }
    >
      <ListTools
        state={state}
        collection="deals"
        fields={fields}
        hidden={[pipelineField(all)]}
        lead="title"
        archives
        table={table}
      />
      <Loaded of={pipelines}>
        {() =>
          table ? (
            <DealTable pipelines={all} state={state} fields={fields} />
          ) : layout === 'forecast' ? (
            <Forecast pipelines={all} filters={state.filters} />
          ) : pipeline ? (
            <DealBoard pipeline={pipeline} state={state} />
          ) : (
            <Empty icon={IconTargetArrow} title="No pipeline">
              Make one in the settings first.
            </Empty>
          )
        }
      </Loaded>
      <NewDeal
        opened={state.all.new === '1'}
        onClose={() => state.set({ new: undefined })}
        stay
        initial={pipeline ? { pipeline_id: pipeline.id, stage_id: pipeline.stages[0]?.id } : {}}
      />
    </Page>
  )
}
