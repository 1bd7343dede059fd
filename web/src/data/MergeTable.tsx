import { Alert, Button, Group, Radio, Table, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { get, post } from '../api/client'
import { keyOf, refresh, useAction } from '../api/query'
import type { Merge, Sequence } from '../api/types'
import { COMPANY_FIELDS } from '../companies/fields'
import { CONTACT_FIELDS } from '../contacts/fields'
import { Show } from '../fields/Show'
import { type Row, words } from '../fields/spec'
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
  const [loss, setLoss] = useState<Merge>()
  const body = {
    into,
    from: records.filter((row) => row.id !== into).map((row) => row.id),
    ...(Object.keys(fields).length ? { fields } : {}),
  }
  const choose = (next: string) => {
    setInto(next)
    setLoss(undefined)
  }
  const merge = useAction(
    () => post<Merge>(`/${collection}/merge`, body),
    (answer) => {
      setLoss(undefined)
      refresh(collection, 'duplicates')
      undoable(`${records.length} records are one now`, () =>
        post(`/${collection}/merge/${answer.data.id}/undo`).then(() => refresh(collection, 'duplicates')),
      )
      onMerged?.()
    },
  )
  // Somebody decides only where something ends or finds no room.
  const check = useAction(
    () => post<Merge>(`/${collection}/merge`, { ...body, dry_run: true }),
    (answer) => {
      if (answer.data.ends.length || Object.keys(answer.data.left_out).length) setLoss(answer.data)
      else merge.mutate(undefined)
    },
  )
  const error = check.error ?? merge.error
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
                    onChange={() => choose(row.id)}
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
                          onChange={() => {
                            setFields({ ...fields, [field.key]: row.id })
                            setLoss(undefined)
                          }}
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
        {!loss && (
          <Button
            disabled={locked}
            loading={check.isPending || merge.isPending}
            onClick={() => check.mutate(undefined)}
          >
            Merge
          </Button>
        )}
        <Text size="xs" c="dimmed">
          Lists are joined; notes, tasks, deals and messages go along. If one of them unsubscribed, replied or must not
          be contacted, that holds for the merged contact, and its sequences end. It can be undone for 30 days.
        </Text>
      </Group>
      {loss && (
        <Loss of={loss} names={new Map(records.map((row) => [row.id, nameOf(collection, row)]))}>
          <Button loading={merge.isPending} onClick={() => merge.mutate(undefined)}>
            Merge anyway
          </Button>
          <Button variant="default" onClick={() => setLoss(undefined)}>
            Cancel
          </Button>
        </Loss>
      )}
      {error && <Words error={error} />}
    </div>
  )
}

/** What the merge would end or leave out, and the choice to go on. */
function Loss({ of, names, children }: { of: Merge; names: Map<string, string>; children: ReactNode }) {
  const ids = [...new Set(of.ends.map((end) => end.sequence_id))]
  const sequences = useQueries({
    queries: ids.map((id) => ({
      queryKey: keyOf(`/sequences/${id}`),
      queryFn: () => get<Sequence>(`/sequences/${id}`),
    })),
  })
  const nameOfSequence = (id: string) => sequences[ids.indexOf(id)]?.data?.data.name ?? 'A sequence'
  return (
    <Alert color="yellow" m="sm" role="alert" title="Before you merge">
      {of.ends.length > 0 && (
        <ul>
          {of.ends.map((end) => (
            <li key={end.enrollment_id}>
              <b>{nameOfSequence(end.sequence_id)}</b> ends for {names.get(end.contact_id)}: {end.reason}.
            </li>
          ))}
        </ul>
      )}
      {Object.entries(of.left_out).map(([field, items]) => (
        <Text size="sm" key={field}>
          {words(field)}: the list is full, so {(items as unknown[]).length} entries are left out.
        </Text>
      ))}
      <Group gap="sm" mt="xs">
        {children}
      </Group>
    </Alert>
  )
}
