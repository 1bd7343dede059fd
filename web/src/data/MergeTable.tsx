import { Alert, Button, Group, Radio, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { get, post } from '../api/client'
import { keyOf, refresh, useAction } from '../api/query'
import type { Merge } from '../api/types'
import { useCompanyFields } from '../companies/fields'
import { useContactFields } from '../contacts/fields'
import { Show } from '../fields/Show'
import { type Field, humanize, isRow, memberOf, type Row } from '../fields/spec'
import { Link } from '../shell/Link'
import { notifyWithUndo } from '../shell/notices'
import { ErrorMessage } from '../shell/problems'
import { type Mergeable, titleOf } from './mergeable'

const LISTS = ['tags', 'list', 'emails', 'phones']
/** Set if any of the records has it, so it can't be chosen. */
const HOLDS = 'do_not_contact'

/** These come from the same record: choosing one chooses both. */
const COMPANY = ['company_id', 'current_company']

const WHAT_HAPPENS: Record<Mergeable, string> = {
  contacts:
    'Lists are joined. Notes, tasks, files, deals and messages go along, and candidates: in a project where both are, one stays, the one that is further. If one of them unsubscribed, replied or must not be contacted, that holds for the merged contact. Of sequences that run or are paused at most one goes on, the others end; you are asked first. The merge can be undone for 30 days, here or in the contact’s timeline.',
  companies:
    'Tags are joined. People, deals, projects, notes, tasks and files go along. The merge can be undone for 30 days, here or in the company’s timeline.',
}

type Props = { collection: Mergeable; records: Row[]; locked?: boolean; onMerged?: () => void }

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Records in columns; where they differ, the user chooses the value to keep. The server computes the result. */
export function MergeTable({ collection, records, locked, onMerged }: Props) {
  const [into, setInto] = useState(records[0].id)
  const [fields, setFields] = useState<Record<string, string>>({})
  const known = { contacts: useContactFields(), companies: useCompanyFields() }
  const specs = known[collection].filter((field) => field.type !== 'name' && !field.readonly)
  const differing = specs.filter((field) =>
    records.some((row) => !same(memberOf(row, field.key), memberOf(records[0], field.key))),
  )
  const [loss, setLoss] = useState<Merge>()
  const body = useMemo(
    () => ({
      into,
      from: records.filter((row) => row.id !== into).map((row) => row.id),
      ...(Object.keys(fields).length ? { fields } : {}),
    }),
    [into, records, fields],
  )
  const [asked] = useDebouncedValue(body, 200)
  const path = `/${collection}/merge` as const
  const outcome = useQuery({
    // Not refetched by `refresh`: after the merge the other records are gone.
    queryKey: ['merge', `outcome-of-${collection}`, asked, records.map((row) => row.updated_at)],
    queryFn: async () => (await post(path, { ...asked, dry_run: true })).data,
    enabled: !locked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const merged = outcome.data?.record
  const result = isRow(merged) ? merged : undefined
  /** The record whose value the merged record gets. */
  const winner = (field: Field): string | undefined => {
    if (!result) return undefined
    const having = records.filter((row) => same(memberOf(row, field.key), memberOf(result, field.key)))
    const wanted = [fields[field.key], into].find((id) => having.some((row) => row.id === id))
    return wanted ?? having[0]?.id
  }
  const take = (field: Field, id: string) => {
    const others = COMPANY.includes(field.key) ? COMPANY : [field.key]
    const rest = Object.entries(fields).filter(([key]) => !others.includes(key))
    setFields({ ...Object.fromEntries(rest), [field.key]: id })
    setLoss(undefined)
  }
  const choose = (next: string) => {
    setInto(next)
    setLoss(undefined)
  }
  const merge = useAction(
    () => post(`/${collection}/merge`, body),
    (answer) => {
      setLoss(undefined)
      refresh(collection, 'duplicates', 'merges')
      notifyWithUndo(`Merged ${records.length} records`, () =>
        post(`/${collection}/merge/${answer.data.id}/undo`).then(() => refresh(collection, 'duplicates')),
      )
      onMerged?.()
    },
  )
  // The user must confirm only if something ends or has no room.
  const check = useAction(
    () => post(`/${collection}/merge`, { ...body, dry_run: true }),
    (answer) => {
      if (answer.data.ends.length || Object.keys(answer.data.left_out).length) setLoss(answer.data)
      else merge.mutate(undefined)
    },
  )
  const error = check.error ?? merge.error ?? outcome.error
  return (
    <div style={{ overflowX: 'auto' }}>
      <Table verticalSpacing={4} layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={140}>Keep</Table.Th>
            {records.map((row) => (
              <Table.Th key={row.id}>
                <Group gap={6} wrap="nowrap">
                  <Radio
                    size="xs"
                    checked={into === row.id}
                    onChange={() => choose(row.id)}
                    aria-label={`Keep ${titleOf(collection, row)}`}
                  />
                  <Link to={`/${collection}/${row.id}`}>{titleOf(collection, row)}</Link>
                </Group>
              </Table.Th>
            ))}
            {!locked && <Table.Th>After the merge</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differing.map((field) => (
            <Table.Tr key={field.key}>
              <Table.Td className="dim">{field.label}</Table.Td>
              {records.map((row) => (
                <Table.Td key={row.id}>
                  <Group gap={6} wrap="nowrap">
                    {!LISTS.includes(field.type) && field.key !== HOLDS && (
                      <Radio
                        size="xs"
                        aria-label={`${field.label} of ${titleOf(collection, row)}`}
                        checked={winner(field) === row.id}
                        onChange={() => take(field, row.id)}
                      />
                    )}
                    <Value row={row} field={field} />
                  </Group>
                </Table.Td>
              ))}
              {!locked && (
                <Table.Td data-testid={`after-${field.key}`}>
                  <Group gap={6}>{result && <Value row={result} field={field} />}</Group>
                </Table.Td>
              )}
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
          {WHAT_HAPPENS[collection]}
        </Text>
      </Group>
      {loss && (
        <LossWarning of={loss} names={new Map(records.map((row) => [row.id, titleOf(collection, row)]))}>
          <Button loading={merge.isPending} onClick={() => merge.mutate(undefined)}>
            Merge anyway
          </Button>
          <Button variant="default" onClick={() => setLoss(undefined)}>
            Cancel
          </Button>
        </LossWarning>
      )}
      {error && <ErrorMessage error={error} />}
    </div>
  )
}

function Value({ row, field }: { row: Row; field: Field }) {
  return (
    <span className="cut" style={{ maxWidth: 220, display: 'inline-block' }}>
      <Show row={row} field={field} />
    </span>
  )
}

/** What the merge would end or leave out, and the choice to continue. */
function LossWarning({ of, names, children }: { of: Merge; names: Map<string, string>; children: ReactNode }) {
  const ids = [...new Set(of.ends.map((end) => end.sequence_id))]
  const sequences = useQueries({
    queries: ids.map((id) => ({
      queryKey: keyOf(`/sequences/${id}`),
      queryFn: () => get(`/sequences/${id}`),
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
          {humanize(field)}: the list is full, so {Array.isArray(items) ? items.length : 0} entries are left out.
        </Text>
      ))}
      <Group gap="sm" mt="xs">
        {children}
      </Group>
    </Alert>
  )
}
