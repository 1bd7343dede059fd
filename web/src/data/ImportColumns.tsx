import { Select, Table, Text } from '@mantine/core'
import type { ImportPreview } from '../api/types'
import { humanize } from '../fields/spec'

export type Mapping = Record<string, string | null>

type Column = ImportPreview['columns'][number]

const MAPPING = 'options.mapping.'

/** The label of a member; for contacts a single address and the list of all addresses have different labels. */
function labelOf(member: string, labels: Record<string, string>): string {
  if (member === 'emails' || member === 'phones') return `${humanize(member)}, as a list`
  return labels[member] ?? humanize(member.replace('custom_data.', ''))
}

/** The columns that the import does not store. A column without a name and values does not count. */
export function leftOut(preview: ImportPreview, mapping: Mapping): string[] {
  return preview.columns
    .map((column, index) => ({ column, label: nameOf(column, index) }))
    .filter(({ column }) => column.name || column.samples.length > 0)
    .filter(({ column }) => !preview.members.includes(mapping[column.name] ?? ''))
    .map(({ label }) => label)
}

const nameOf = (column: Column, index: number) => column.name || `Column ${index + 1}`

/** Each column of a file with its member, as proposed by the server or chosen by the user. */
export function ImportColumns({
  preview,
  mapping,
  labels,
  onChoose,
}: {
  preview: ImportPreview
  mapping: Mapping
  labels: Record<string, string>
  onChoose: (column: string, member: string | null) => void
}) {
  const members = preview.members.map((member) => ({ value: member, label: labelOf(member, labels) }))
  // The server's problem with the proposal, as long as two columns map to the same member.
  const problemOf = (column: Column) => {
    const member = mapping[column.name]
    const same = preview.columns.filter((one) => mapping[one.name] === member).length > 1
    if (!member || member !== column.member || !same) return undefined
    return preview.problems.find((problem) => problem.field === MAPPING + column.name)?.reason
  }
  return (
    <div className="card" style={{ overflowX: 'auto' }}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th>Field</Table.Th>
            <Table.Th>Examples</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.columns.map((column, index) => (
            <Table.Tr key={index}>
              <Table.Td>{nameOf(column, index)}</Table.Td>
              <Table.Td miw={200}>
                <Select
                  size="xs"
                  aria-label={`Column ${nameOf(column, index)} becomes`}
                  placeholder="Not imported"
                  clearable
                  searchable
                  data={members}
                  value={mapping[column.name] ?? null}
                  onChange={(member) => onChoose(column.name, member)}
                  error={problemOf(column)}
                />
              </Table.Td>
              <Table.Td className="dim cut" maw={320}>
                <Text span className="cut">
                  {column.samples.join(' · ')}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
