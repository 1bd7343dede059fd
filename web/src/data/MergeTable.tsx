import { Button, Group, Radio, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useAction } from '../api/query'
import type { Merge } from '../api/types'
import { COMPANY_FIELDS } from '../companies/fields'
import { CONTACT_FIELDS } from '../contacts/fields'
import { Show } from '../fields/Show'
import type { Row } from '../fields/spec'
import { Link } from '../shell/Link'
import { undoable, Words } from '../shell/tell'
import { type Mergeable, nameOf } from './Duplicates'

const LISTS = ['tags', 'list', 'emails', 'phones']
/** Holds if any of the records has it, so it is not chosen. */
const HOLDS = 'do_not_contact'

type Props = { collection: Mergeable; records: Row[]; locked?: boolean; onMerged?: () => void }

/** Records in columns; where they differ, the value that is to stay is chosen. */
export function MergeTable({ collection, records, locked, onMerged }: Props) {
  const [into, setInto] = useState(records[0].id)
  const [fields, setFields] = useState<Record<string, string>>({})
  const specs = (collection === 'contacts' ? CONTACT_FIELDS : COMPANY_FIELDS).filter(
    (field) => field.type !== 'name' && !field.readonly,
  )
  const differing = specs.filter(
    (field) => new Set(records.map((row) => JSON.stringify(row[field.key] ?? null))).size > 1,
  )
  const merge = useAction(
    () =>
      post<Merge>(`/${collection}/merge`, {
        into,
        from: records.filter((row) => row.id !== into).map((row) => row.id),
        ...(Object.keys(fields).length ? { fields } : {}),
      }),
    (answer) => {
      refresh(collection, 'duplicates')
      undoable(`${records.length} records are one now`, () =>
        post(`/${collection}/merge/${answer.data.id}/undo`).then(() => refresh(collection, 'duplicates')),
      )
      onMerged?.()
    },
  )
  return (
    <div style={{ overflowX: 'auto' }}>
      <Table verticalSpacing={4} layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={140}>Survives</Table.Th>
            {records.map((row) => (
              <Table.Th key={row.id}>
                <Group gap={6} wrap="nowrap">
                  <Radio
                    size="xs"
                    checked={into === row.id}
                    onChange={() => setInto(row.id)}
                    aria-label={`${nameOf(collection, row)} survives`}
                  />
                  <Link to={`/${collection}/${row.id}`}>{nameOf(collection, row)}</Link>
                </Group>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differing.map((field) => (
            <Table.Tr key={field.key}>
              <Table.Td className="dim">{field.label}</Table.Td>
              {records.map((row) => {
                const joined = LISTS.includes(field.type) || field.key === HOLDS
                const survivor = records.find((one) => one.id === into)
                const standard = survivor?.[field.key] ? into : records.find((one) => one[field.key])?.id
                return (
                  <Table.Td key={row.id}>
                    <Group gap={6} wrap="nowrap">
                      {!joined && (
                        <Radio
                          size="xs"
                          aria-label={`${field.label} of ${nameOf(collection, row)}`}
                          checked={(fields[field.key] ?? standard) === row.id}
                          onChange={() => setFields({ ...fields, [field.key]: row.id })}
                        />
                      )}
                      <span className="cut" style={{ maxWidth: 260, display: 'inline-block' }}>
                        <Show row={row} field={field} />
                      </span>
                    </Group>
                  </Table.Td>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group p="sm" gap="sm">
        <Button disabled={locked} loading={merge.isPending} onClick={() => merge.mutate(undefined)}>
          Merge
        </Button>
        <Text size="xs" c="dimmed">
          Lists are joined; notes, tasks, deals and messages go along. If one of them unsubscribed, replied or must not
          be contacted, that holds for the merged contact, and its sequences end. It can be undone for 30 days.
        </Text>
      </Group>
      {merge.error && <Words error={merge.error} />}
    </div>
  )
}
