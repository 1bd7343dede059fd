import { Button, Group, Progress, SimpleGrid, Text } from '@mantine/core'
import { address, post } from '../api/client'
import { refresh, useGet, useList } from '../api/query'
import type { Import } from '../api/types'
import { ago, count } from '../fields/format'
import { Chip } from '../fields/Show'
import { ask } from '../shell/ask'
import { notifyError } from '../shell/notices'
import { Card, Loaded } from '../shell/Page'

const RUNNING = ['pending', 'processing', 'undoing']

/** One import, while it runs and afterwards. */
export function ImportRun({ id, onImport, onBack }: { id: string; onImport: () => void; onBack: () => void }) {
  const run = useGet(`/imports/${id}`, undefined, {
    refetchInterval: (query) => (RUNNING.includes(query.state.data?.data.status ?? 'pending') ? 700 : false),
  })
  return <Loaded of={run}>{(answer) => <Shown run={answer.data} onImport={onImport} onBack={onBack} />}</Loaded>
}

function Shown({ run, onImport, onBack }: { run: Import; onImport: () => void; onBack: () => void }) {
  const running = RUNNING.includes(run.status)
  const errors = useList(run.failed || run.kept ? `/imports/${run.id}/errors` : null, { limit: '20' }).data
  const undo = async () => {
    const isSure = await ask({
      title: 'Undo this import?',
      text: 'Records that it added are deleted, unless they were changed since or other records refer to them. Values that it changed are restored.',
      action: 'Undo import',
      danger: true,
    })
    if (!isSure) return
    post(`/imports/${run.id}/undo`).then(() => {
      refresh('imports')
    }, notifyError)
  }
  const numbers: [string, number][] = [
    [run.dry_run ? 'Would be added' : 'Added', run.created],
    [run.dry_run ? 'Would be changed' : 'Changed', run.updated],
    ['Unchanged', run.skipped],
    ['With errors', run.failed],
  ]
  if (run.status === 'undone')
    numbers.splice(0, 4, ['Removed', run.removed], ['Restored', run.restored], ['Kept', run.kept])
  return (
    <Card
      title={`${run.dry_run ? 'Check of ' : ''}${run.filename ?? 'the file'}`}
      actions={<Chip value={run.status} />}
    >
      {running && <Progress value={run.progress} animated mb="md" aria-label="Progress" />}
      <SimpleGrid cols={{ base: 2, sm: numbers.length }} data-testid="import-numbers">
        {numbers.map(([label, number]) => (
          <div key={label}>
            <Text size="xl" fw={600} className="num">
              {count(number)}
            </Text>
            <Text c="dimmed">{label}</Text>
          </div>
        ))}
      </SimpleGrid>
      {run.error && (
        <Text c="red" mt="sm">
          {run.error}
        </Text>
      )}
      {errors && errors.data.length > 0 && (
        <div className="card" style={{ marginTop: 12, overflowX: 'auto' }}>
          {errors.data.map((one, index) => (
            <div key={index} className="row-link">
              <span className="num dim" style={{ minWidth: 70 }}>
                Row {one.row}
              </span>
              <span style={{ minWidth: 90 }}>{one.column}</span>
              <span className="grow">{one.reason}</span>
              <span className="cut dim" style={{ maxWidth: 160 }}>
                {one.value}
              </span>
            </div>
          ))}
        </div>
      )}
      <Group mt="md" gap="xs">
        {run.dry_run && run.status === 'completed' && (
          <Button onClick={onImport}>Import {count(run.created + run.updated)} rows</Button>
        )}
        {run.dry_run && (
          <Button variant="default" onClick={onBack}>
            Change the columns
          </Button>
        )}
        {(run.failed > 0 || run.kept > 0) && (
          <Button
            variant="default"
            component="a"
            href={address(`/imports/${run.id}/errors`, { format: 'csv' })}
            download="errors.csv"
          >
            Download errors
          </Button>
        )}
        {!run.dry_run && ['completed', 'failed'].includes(run.status) && (
          <Button variant="default" onClick={undo}>
            Undo this import
          </Button>
        )}
        {run.status === 'undone' && errors?.data.some((error) => error.reason.endsWith('undo the import again')) && (
          <Button variant="default" onClick={undo}>
            Undo the rest
          </Button>
        )}
      </Group>
    </Card>
  )
}

/** Earlier imports, to view and undo. */
export function Imports({ onOpen }: { onOpen: (id: string) => void }) {
  const list =
    useList(
      '/imports',
      { limit: '10', dry_run: 'false' },
      {
        refetchInterval: (query) => (query.state.data?.data.some((one) => RUNNING.includes(one.status)) ? 1000 : false),
      },
    ).data?.data ?? []
  if (list.length === 0) return null
  return (
    <Card title="Earlier imports" flush>
      {list.map((one) => (
        <button
          key={one.id}
          type="button"
          className="row-link"
          style={{ border: 0, cursor: 'pointer', color: 'inherit', font: 'inherit' }}
          onClick={() => onOpen(one.id)}
        >
          <span className="grow cut">{one.filename ?? one.collection}</span>
          <span className="dim num">
            {count(one.created)} added, {count(one.updated)} changed
          </span>
          <Chip value={one.status} />
          <span className="dim">{ago(one.created_at)}</span>
        </button>
      ))}
    </Card>
  )
}
