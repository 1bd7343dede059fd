import { Button, CopyButton, Group, Select, Table, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import type { Params } from '../api/client'
import { useGet, useList, usePages } from '../api/query'
import { ago, full, size } from '../fields/format'
import { Modal } from '../shell/Modal'
import { Card, Empty, Loaded } from '../shell/Page'

/** The request log of the last days: operation, key and result. */
export function Requests() {
  const [status, setStatus] = useState<string | null>(null)
  const [method, setMethod] = useState<string | null>(null)
  const [key, setKey] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [operation] = useDebouncedValue(typed.trim(), 250)
  const [open, setOpen] = useState<string>()
  const keys = useList('/dashboard/keys').data?.data ?? []
  const params: Params = { limit: '50' }
  if (status) params.status = status
  if (method) params.method = method
  if (key) params.key_id = key
  if (operation) params.operation = operation
  const log = usePages('/dashboard/requests', params, 3000)
  const all = log.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Card flush>
      <Group p="sm" gap="xs">
        <Select
          size="xs"
          w={120}
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={STATUSES}
          value={status}
          onChange={setStatus}
        />
        <Select
          size="xs"
          w={110}
          aria-label="Method"
          placeholder="Any method"
          clearable
          data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']}
          value={method}
          onChange={setMethod}
        />
        <Select
          size="xs"
          w={150}
          aria-label="Key"
          placeholder="Any key"
          clearable
          data={keys.map((one) => ({ value: one.id, label: one.name }))}
          value={key}
          onChange={setKey}
        />
        <TextInput
          size="xs"
          w={180}
          aria-label="Operation"
          placeholder="Operation"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => log.refetch()}>
          Refresh
        </Button>
      </Group>
      <Loaded of={log}>
        {() =>
          all.length === 0 ? (
            <Empty icon={IconListDetails} title="No requests">
              Requests made with API keys appear here within a few seconds.
            </Empty>
          ) : (
            <>
              {all.map((one) => (
                <button
                  key={one.id}
                  type="button"
                  className="row-link"
                  style={{
                    border: 0,
                    borderBottom: '1px solid var(--r-line)',
                    cursor: 'pointer',
                    color: 'inherit',
                    font: 'inherit',
                  }}
                  onClick={() => setOpen(one.id)}
                >
                  <span
                    className="num"
                    style={{
                      width: 34,
                      fontWeight: 600,
                      color: one.status >= 400 ? 'var(--mantine-color-error)' : undefined,
                    }}
                  >
                    {one.status}
                  </span>
                  <span style={{ width: 52 }}>{one.method}</span>
                  <span className="grow cut">{one.path}</span>
                  <span className="dim not-small">{one.key?.name ?? ''}</span>
                  <span className="dim num">{Math.round(one.time_ms)} ms</span>
                  <span className="dim">{ago(one.at)}</span>
                </button>
              ))}
              {log.hasNextPage && (
                <Button m="sm" variant="default" onClick={() => log.fetchNextPage()}>
                  Show older
                </Button>
              )}
            </>
          )
        }
      </Loaded>
      {open && <One id={open} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

const STATUSES = ['2xx', '4xx', '5xx', '400', '401', '402', '403', '404', '409', '412', '413', '429']

function One({ id, onClose }: { id: string; onClose: () => void }) {
  const request = useGet(`/dashboard/requests/${id}`)
  return (
    <Modal opened onClose={onClose} title="Request" size="lg">
      <Loaded of={request}>
        {({ data: one }) => {
          const target = `${one.path}${one.query ? `?${one.query}` : ''}`
          const curl = `curl -X ${one.method} -H "Authorization: Bearer $RELATA_KEY" '${location.origin}${target}'`
          const lines: [string, string][] = [
            ['Request id', one.id],
            ['When', full(one.at)],
            ['Request', `${one.method} ${target}`],
            ['Operation', one.operation ?? ''],
            ['Status', String(one.status)],
            ['Time', `${one.time_ms} ms`],
            ['Key', one.key ? `${one.key.name} ${one.key.prefix ?? ''}…${one.key.last4 ?? ''}` : ''],
            ['Owner', one.user?.name || one.user?.email || ''],
            ['Response', one.size === null || one.size === undefined ? '' : size(one.size)],
          ]
          return (
            <>
              <Table>
                <Table.Tbody>
                  {lines
                    .filter(([, value]) => value)
                    .map(([label, value]) => (
                      <Table.Tr key={label}>
                        <Table.Td className="dim">{label}</Table.Td>
                        <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                      </Table.Tr>
                    ))}
                </Table.Tbody>
              </Table>
              <div className="grammar" style={{ marginTop: 12 }}>
                {curl}
              </div>
              <CopyButton value={curl}>
                {({ copied, copy }) => (
                  <Button mt="sm" variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy as curl'}
                  </Button>
                )}
              </CopyButton>
            </>
          )
        }}
      </Loaded>
    </Modal>
  )
}
