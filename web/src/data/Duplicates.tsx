import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { get } from '../api/client'
import { keyOf, usePages } from '../api/query'
import { plural } from '../fields/format'
import { humanize, isRow, type Row } from '../fields/spec'
import { useCan } from '../session'
import { CopyRequest } from '../shell/Copy'
import { Card, Empty, Loaded, Page } from '../shell/Page'
import { textsOf } from '../values'
import { MergeTable } from './MergeTable'
import type { Mergeable } from './mergeable'

const hidden = () => textsOf(JSON.parse(localStorage.getItem('relata.not-duplicates') ?? '[]'))
const keyOfGroup = (records: Row[]) =>
  records
    .map((one) => one.id)
    .sort()
    .join()

/** Possible duplicates side by side, with the choice of which values to keep. */
export function Duplicates() {
  const navigate = useNavigate()
  const search = useSearch({ from: '__root__' })
  const collection: Mergeable = search.of === 'companies' ? 'companies' : 'contacts'
  const may = useCan(`${collection}:delete`)
  const [left, setLeft] = useState<string[]>(hidden)
  const params = { limit: 20 }
  const groups = usePages(`/${collection}/duplicates`, params)
  const shown = (groups.data?.pages.flatMap((page) => page.data) ?? [])
    .map((group) => ({ ...group, records: group.records.filter(isRow) }))
    .filter((group) => !left.includes(keyOfGroup(group.records)))
  const leave = (records: Row[]) => {
    const next = [...left, keyOfGroup(records)]
    localStorage.setItem('relata.not-duplicates', JSON.stringify(next.slice(-2000)))
    setLeft(next)
  }
  const showAll = () => {
    localStorage.removeItem('relata.not-duplicates')
    setLeft([])
  }
  return (
    <Page
      title="Duplicates"
      head={
        <SegmentedControl
          size="xs"
          aria-label="Which records"
          data={[
            { value: 'contacts', label: 'Contacts' },
            { value: 'companies', label: 'Companies' },
          ]}
          value={collection}
          onChange={(of) => navigate({ to: '.', search: { of }, replace: true })}
        />
      }
      actions={<CopyRequest path={`/${collection}/duplicates`} params={params} />}
    >
      {left.length > 0 && (
        <Group gap="sm" mb="md">
          <Text c="dimmed" size="sm">
            {plural(left.length, 'group')} that you marked as not a duplicate {left.length === 1 ? 'is' : 'are'} hidden,
            in this browser only.
          </Text>
          <Button size="compact-xs" variant="default" onClick={showAll}>
            Show hidden pairs again
          </Button>
        </Group>
      )}
      {search.ids && (
        <Chosen
          collection={collection}
          ids={search.ids.split(',')}
          onDone={() => navigate({ to: '.', search: { of: search.of }, replace: true })}
        />
      )}
      <Loaded of={groups}>
        {() =>
          shown.length === 0 ? (
            <Empty icon={IconCopy} title="No duplicates found">
              Records with the same email address, profile, phone number or name and company appear here.
            </Empty>
          ) : (
            <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 }}>
              {shown.map((group) => (
                <Card
                  key={keyOfGroup(group.records)}
                  title={`${Math.round(group.score * 100)}% match`}
                  flush
                  actions={
                    <Group gap="xs">
                      <Text c="dimmed" size="sm">
                        {group.reasons.map(humanize).join(', ')}
                      </Text>
                      <Button
                        size="compact-xs"
                        variant="default"
                        title="Hides them in this browser only"
                        onClick={() => leave(group.records)}
                      >
                        Not a duplicate
                      </Button>
                    </Group>
                  }
                >
                  <MergeTable collection={collection} records={group.records} locked={!may} />
                </Card>
              ))}
              {groups.hasNextPage && (
                <Button variant="default" onClick={() => groups.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

function Chosen({ collection, ids, onDone }: { collection: Mergeable; ids: string[]; onDone: () => void }) {
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: keyOf(`/${collection}/${id}`),
      queryFn: () => get(`/${collection}/${id}`),
    })),
  })
  const records = answers.flatMap((answer) => (answer.data ? [answer.data.data] : []))
  if (records.length < ids.length) return null
  return (
    <div style={{ marginBottom: 16 }}>
      <Card
        title="Selected records"
        flush
        actions={
          <Button size="compact-xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
        }
      >
        <MergeTable collection={collection} records={records} onMerged={onDone} />
      </Card>
    </div>
  )
}
