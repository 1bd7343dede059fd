import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { put, remove } from '../api/client'
import { listOf } from '../api/lists'
import type { Deal, DealPipeline } from '../api/types'
import type { Field, Row } from '../fields/spec'
import { personName, useCan, useMembers } from '../session'
import { Empty } from '../shell/Page'
import { BulkBar, type Run } from '../table/BulkBar'
import { eachOf, reversible } from '../table/bulk'
import { RecordTable } from '../table/RecordTable'
import type { TableState } from '../table/state'
import { useSelection } from '../table/useSelection'

type DealRow = Deal & Row
type Props = { pipelines: DealPipeline[]; state: TableState; fields: Field[] }

/** Deals as a table, for changing many of them at once. */
export function DealTable({ pipelines, state, fields }: Props) {
  const navigate = useNavigate()
  const may = useCan('deals:write')
  const selection = useSelection<DealRow>()
  const [total, setTotal] = useState(0)
  return (
    <>
      <RecordTable<DealRow>
        name="Deals"
        list={listOf('/deals')}
        state={state}
        fields={fields}
        lead="title"
        locked={!may}
        selection={may ? selection : undefined}
        onTotal={setTotal}
        onOpen={(row) => navigate({ to: '/deals/$id', params: { id: row.id } })}
        empty={
          <Empty
            title="No deals match"
            action={<Button onClick={() => state.replace({ layout: 'table' })}>Show all</Button>}
          />
        }
      />
      <BulkBar
        touches={['deals', 'deal-pipelines']}
        list={listOf('/deals')}
        state={state}
        selection={selection}
        total={total}
      >
        {(run) => <Actions pipelines={pipelines} run={run} />}
      </BulkBar>
    </>
  )
}

function Actions({ pipelines, run }: { pipelines: DealPipeline[]; run: Run<DealRow> }) {
  const { members } = useMembers()
  const archive = useCan('deals:delete')
  const change = (label: string, changes: Partial<DealRow>) => {
    const { work, undo } = reversible<DealRow>('deals', changes)
    return run(label, work, undo)
  }
  return (
    <>
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default">Move to</Button>
        </Menu.Target>
        <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
          {pipelines.map((pipeline) => [
            pipelines.length > 1 && <Menu.Label key={pipeline.id}>{pipeline.name}</Menu.Label>,
            ...pipeline.stages.map((stage) => (
              <Menu.Item
                key={stage.id}
                onClick={() => change(`Moved to ${stage.name}`, { pipeline_id: pipeline.id, stage_id: stage.id })}
              >
                {stage.name}
              </Menu.Item>
            )),
          ])}
        </Menu.Dropdown>
      </Menu>
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default">Owner</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {members.map((one) => (
            <Menu.Item key={one.user_id} onClick={() => change(`Owner ${personName(one)}`, { owner_id: one.user_id })}>
              {personName(one)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {archive && (
        <Button
          variant="default"
          onClick={() =>
            run(
              'Archived',
              (chosen, onProgress) => eachOf(chosen, (row) => remove(`/deals/${row.id}`), onProgress),
              (outcome) => Promise.all(outcome.ids.map((id) => put(`/deals/${id}`, { archived_at: null }))),
            )
          }
        >
          Archive
        </Button>
      )}
    </>
  )
}
