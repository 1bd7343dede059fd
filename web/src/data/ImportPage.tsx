import {
  Alert,
  Card as Box,
  Button,
  FileButton,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Table,
  Text,
} from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/client'
import { refresh, useAction } from '../api/query'
import type { Import } from '../api/types'
import { useCompanyFields } from '../companies/fields'
import { useContactFields } from '../contacts/fields'
import { size } from '../fields/format'
import { Drop } from '../record/Files'
import { Page } from '../shell/Page'
import { Words } from '../shell/tell'
import { guess, peek } from './csv'
import { ImportRun, Imports } from './ImportRun'

type Collection = 'contacts' | 'companies'
type Mapping = Record<string, string | null>

const remembered = (collection: string): Mapping =>
  JSON.parse(localStorage.getItem(`relata.import.${collection}`) ?? '{}')

/** Upload, map, try without changing anything, then bring it in. */
export function ImportPage() {
  const [collection, setCollection] = useState<Collection>('contacts')
  const [file, setFile] = useState<File>()
  const [rows, setRows] = useState<string[][]>([])
  const [mapping, setMapping] = useState<Mapping>({})
  const [match, setMatch] = useState<string | null>(null)
  const [run, setRun] = useState<string>()
  const contactFields = useContactFields()
  const companyFields = useCompanyFields()
  const fields = (collection === 'contacts' ? contactFields : companyFields).filter(
    (field) => field.type !== 'name' && !field.key.endsWith('_count') && !field.key.endsWith('_at'),
  )
  const labels = Object.fromEntries(fields.map((field) => [field.key, field.label]))
  const start = useAction(
    (dryRun: boolean) => {
      const form = new FormData()
      form.append(
        'options',
        JSON.stringify({ collection, mapping, dry_run: dryRun, ...(match ? { match_on: match } : {}) }),
      )
      form.append('file', file as File)
      return call<Import>('POST', '/imports', form)
    },
    (answer) => {
      localStorage.setItem(`relata.import.${collection}`, JSON.stringify({ ...remembered(collection), ...mapping }))
      setRun(answer.data.id)
      refresh('imports')
    },
  )
  const choose = async (chosen: File | null | undefined, kind: Collection = collection) => {
    if (!chosen) return
    const text = await chosen.slice(0, 256 * 1024).text()
    const first = peek(text.replace(/^\uFEFF/, ''), 6)
    const known = remembered(kind)
    const members = (kind === 'contacts' ? contactFields : companyFields)
      .map((field) => field.key)
      .filter((key) => !(kind === 'contacts' && key === 'name'))
    const names = Object.fromEntries(
      (kind === 'contacts' ? contactFields : companyFields).map((field) => [field.key, field.label]),
    )
    setFile(chosen)
    setRows(first)
    setRun(undefined)
    setMapping(
      Object.fromEntries(
        (first[0] ?? [])
          .filter(Boolean)
          .map((column) => [column, column in known ? known[column] : guess(column, members, names)]),
      ),
    )
  }
  const columns = rows[0] ?? []
  const matches = collection === 'contacts' ? ['email', 'network_profile', 'id'] : ['domain', 'name', 'id']
  return (
    <Page title="Import">
      <div className="narrow">
        <Stack gap="md">
          <Group gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="What is in the file"
              data={[
                { value: 'contacts', label: 'Contacts' },
                { value: 'companies', label: 'Companies' },
              ]}
              value={collection}
              onChange={(next) => {
                setCollection(next as Collection)
                setMatch(null)
                choose(file, next as Collection)
              }}
            />
            {file && (
              <Text c="dimmed" className="cut">
                {file.name}, {size(file.size)}
              </Text>
            )}
          </Group>
          <Drop onFiles={([first]) => choose(first)}>
            <Box withBorder p="lg" ta="center">
              <Text mb="xs">{file ? 'Another file?' : 'Drop a CSV file here'}</Text>
              <FileButton onChange={choose} accept=".csv,.txt,.tsv,text/csv">
                {(props) => (
                  <Button variant="default" {...props}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
            </Box>
          </Drop>
          {file && !run && (
            <>
              <div className="card" style={{ overflowX: 'auto' }}>
                <Table verticalSpacing={4}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Column</Table.Th>
                      <Table.Th>Becomes</Table.Th>
                      <Table.Th>First rows</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {columns.map((column, index) =>
                      column ? (
                        <Table.Tr key={column}>
                          <Table.Td>{column}</Table.Td>
                          <Table.Td miw={200}>
                            <Select
                              size="xs"
                              aria-label={`Column ${column} becomes`}
                              placeholder="Leave out"
                              clearable
                              searchable
                              data={fields.map((field) => ({ value: field.key, label: field.label }))}
                              value={mapping[column] ?? null}
                              onChange={(member) => setMapping({ ...mapping, [column]: member })}
                            />
                          </Table.Td>
                          <Table.Td
                            className="dim"
                            maw={320}
                            style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
                          >
                            {rows
                              .slice(1, 4)
                              .map((row) => row[index])
                              .filter(Boolean)
                              .join(' · ')}
                          </Table.Td>
                        </Table.Tr>
                      ) : null,
                    )}
                  </Table.Tbody>
                </Table>
              </div>
              <Select
                label="Rows about somebody who is here already"
                placeholder="Are added as new"
                clearable
                data={matches.map((one) => ({
                  value: one,
                  label: `Change the one with the same ${(labels[one] ?? one).toLowerCase()}`,
                }))}
                value={match}
                onChange={setMatch}
              />
              {start.error && (
                <Alert color="red" variant="outline" title="The file was not taken">
                  <Words error={start.error} />
                </Alert>
              )}
              <Group gap="xs">
                <Button loading={start.isPending} onClick={() => start.mutate(true)}>
                  Check the file first
                </Button>
                <Button variant="default" disabled={start.isPending} onClick={() => start.mutate(false)}>
                  Import now
                </Button>
              </Group>
            </>
          )}
          {run && <ImportRun id={run} onImport={() => start.mutate(false)} onBack={() => setRun(undefined)} />}
          <Imports onOpen={setRun} />
        </Stack>
      </div>
    </Page>
  )
}
