import { Stack, Table } from '@mantine/core'
import { useGet } from '../api/query'
import { full, plural, size } from '../fields/format'
import { humanize } from '../fields/spec'
import { Card, Loaded } from '../shell/Page'
import { isRecord, recordsOf } from '../values'

/** The state of the server: names and numbers, lists as tables. */
export function System() {
  const system = useGet('/dashboard/system', undefined, { refetchInterval: 10_000 })
  return (
    <Loaded of={system}>
      {() => {
        const figures = system.data?.data ?? {}
        const pairs: [string, unknown][] = Object.entries(figures)
        const plain = pairs.filter(([, value]) => typeof value !== 'object' || value === null)
        const nested = pairs.filter(([, value]) => typeof value === 'object' && value !== null)
        return (
          <Stack gap="md">
            <Card title="Server" flush>
              <Pairs pairs={plain} />
            </Card>
            {nested.map(([name, value]) => (
              <Card key={name} title={label(name)} flush>
                {isRecord(value) ? <Pairs pairs={Object.entries(value)} /> : <Rows rows={recordsOf(value)} />}
              </Card>
            ))}
          </Stack>
        )
      }}
    </Loaded>
  )
}

const NAMES: Record<string, string> = {
  lag_ms: 'Longest wait of a job',
  database_bytes: 'Size of the database',
  engine: 'Database',
  nodes: 'Servers',
  id: 'Server',
  due_at: 'Due',
  seen_at: 'Last seen',
  started_at: 'Started',
}

const VALUES: Record<string, string> = {
  sqlite: 'Embedded (SQLite)',
  postgresql: 'PostgreSQL',
  'tag.detach': 'Remove a deleted tag from records',
  'custom_field.clear': 'Delete the values of a deleted field',
  'deal_pipeline.clear': 'Move deals out of a deleted stage',
  'merge.move': 'Move what belongs to merged records',
  'sequence.forget_default': 'Remove a default sequence',
  'sequence.end_enrollments': 'End enrollments of an archived sequence',
  'sequence.reschedule': 'Reschedule enrollments',
  'outbox.abandon': 'Cancel messages of a removed account',
  'credits.return': 'Return credits',
  'import.rows': 'Import',
  'import.undo': 'Undo an import',
  'import.forget': 'Delete the details of an import',
  'workspace.erase': 'Erase a removed workspace',
  'workspace.scrub': 'Erase a removed workspace from the files',
  drop_file: 'Delete a file',
  read_cv: 'Read the text of a CV',
}

const label = (name: string) => NAMES[name] ?? humanize(name)

const text = (value: unknown, name = '') =>
  name === 'lag_ms' && typeof value === 'number'
    ? plural(Math.round(value / 1000), 'second')
    : name.endsWith('_bytes') && typeof value === 'number'
      ? size(value)
      : /_at$/.test(name) && typeof value === 'string'
        ? full(value)
        : plainText(value)

const plainText = (value: unknown) =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : (VALUES[String(value)] ?? String(value))

function Pairs({ pairs }: { pairs: [string, unknown][] }) {
  return (
    <Table>
      <Table.Tbody>
        {pairs.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td className="dim" w={200}>
              {label(name)}
            </Table.Td>
            <Table.Td>{text(value, name)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Rows({ rows }: { rows: Record<string, unknown>[] }) {
  if (rows.length === 0) return <div className="row-link dim">None</div>
  const names = Object.keys(rows[0])
  return (
    <div style={{ overflowX: 'auto' }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {names.map((name) => (
              <Table.Th key={name}>{label(name)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={index}>
              {names.map((name) => (
                <Table.Td key={name}>{text(row[name], name)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
