import {
  Alert,
  Card as Box,
  Button,
  FileButton,
  Group,
  Progress,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from '@mantine/core'
import { useRef, useState } from 'react'
import { uploadForm } from '../api/client'
import { refresh, useAction } from '../api/query'
import type { ImportPreview } from '../api/types'
import { useCompanyFields } from '../companies/fields'
import { useContactFields } from '../contacts/fields'
import { count, size } from '../fields/format'
import { Drop } from '../record/Files'
import { Page } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'
import { isRecord, textOf } from '../values'
import { ImportColumns, leftOut, type Mapping } from './ImportColumns'
import { ImportRun, Imports } from './ImportRun'

type Collection = 'contacts' | 'companies'

/** The user's choices for columns of earlier files that differ from the proposal. */
function remembered(collection: Collection): Mapping {
  const stored: unknown = JSON.parse(localStorage.getItem(`relata.import-choices.${collection}`) ?? '{}')
  const pairs = Object.entries(isRecord(stored) ? stored : {})
  return Object.fromEntries(pairs.map(([column, member]) => [column, textOf(member)]))
}

function formOf(file: File, options: object): FormData {
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append('file', file)
  return form
}

/** Uploads a file for a preview, maps the columns, checks without changing anything, then imports. */
export function ImportPage() {
  const [collection, setCollection] = useState<Collection>('contacts')
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<ImportPreview>()
  const [choices, setChoices] = useState<Mapping>({})
  const [match, setMatch] = useState<string | null>(null)
  const [run, setRun] = useState<string>()
  const [sent, setSent] = useState(0)
  const earlier = useRef<AbortController>(undefined)
  const contactFields = useContactFields()
  const companyFields = useCompanyFields()
  const fields = collection === 'contacts' ? contactFields : companyFields
  const labels = Object.fromEntries(fields.map((field) => [field.key, field.label]))
  const proposal: Mapping = Object.fromEntries((preview?.columns ?? []).map((column) => [column.name, column.member]))
  const mapping = { ...proposal, ...choices }

  const look = useAction(
    (chosen: { file: File; collection: Collection }) => {
      earlier.current?.abort()
      earlier.current = new AbortController()
      setSent(0)
      const form = formOf(chosen.file, { collection: chosen.collection })
      return uploadForm('/imports/preview', form, setSent, earlier.current.signal)
    },
    (answer, chosen) => {
      const columns = answer.data.columns.map((column) => column.name)
      const fits = ([column, member]: [string, string | null]) =>
        columns.includes(column) && (member === null || answer.data.members.includes(member))
      setPreview(answer.data)
      setChoices(Object.fromEntries(Object.entries(remembered(chosen.collection)).filter(fits)))
    },
  )
  const start = useAction(
    (dryRun: boolean) => {
      if (!file) return Promise.reject(new Error('No file is chosen.'))
      setSent(0)
      const options = { collection, mapping, dry_run: dryRun, ...(match ? { match_on: match } : {}) }
      return uploadForm('/imports', formOf(file, options), setSent)
    },
    (answer) => {
      const all = { ...remembered(collection), ...choices }
      localStorage.setItem(`relata.import-choices.${collection}`, JSON.stringify(all))
      setRun(answer.data.id)
      refresh('imports')
    },
  )
  const choose = (chosen: File | null | undefined, kind: Collection = collection) => {
    if (!chosen) return
    setFile(chosen)
    setPreview(undefined)
    setRun(undefined)
    start.reset()
    look.mutate({ file: chosen, collection: kind })
  }
  const missing = preview ? leftOut(preview, mapping) : []
  const unread = preview?.problems.find((problem) => problem.field === 'file')
  const matches = collection === 'contacts' ? ['email', 'network_profile', 'id'] : ['domain', 'name', 'id']
  return (
    <Page title="Import">
      <div className="narrow">
        <Stack gap="md">
          <Group gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="Records in the file"
              data={[
                { value: 'contacts', label: 'Contacts' },
                { value: 'companies', label: 'Companies' },
              ]}
              value={collection}
              onChange={(next) => {
                setCollection(next)
                setMatch(null)
                choose(file, next)
              }}
            />
            {file && (
              <Text c="dimmed" className="cut">
                {file.name}, {size(file.size)}
                {preview?.total != null &&
                  `, ${preview.total_is_estimate ? 'about ' : ''}${count(preview.total)} ${preview.total === 1 ? 'row' : 'rows'}`}
              </Text>
            )}
          </Group>
          <Drop onFiles={([first]) => choose(first)}>
            <Box withBorder p="lg" ta="center" bg="var(--r-sunken)">
              <Text mb="xs">{file ? 'Another file?' : 'Drop a CSV or NDJSON file here'}</Text>
              <FileButton onChange={choose} accept=".csv,.txt,.tsv,.ndjson,.jsonl,text/csv">
                {(props) => (
                  <Button variant="default" style={{ alignSelf: 'center' }} {...props}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
            </Box>
          </Drop>
          {(look.isPending || start.isPending) && (
            <div>
              <Progress value={sent * 100} animated aria-label="Upload" />
              <Text c="dimmed" mt={4} role="status">
                {sent < 1 ? `Uploading: ${Math.floor(sent * 100)} %` : 'Reading the file'}
              </Text>
            </div>
          )}
          {look.error && (
            <Alert color="red" variant="outline" title="The file can’t be imported">
              <ErrorMessage error={look.error} />
            </Alert>
          )}
          {preview && !run && (
            <>
              <ImportColumns
                preview={preview}
                mapping={mapping}
                labels={labels}
                onChoose={(column, member) => setChoices({ ...choices, [column]: member })}
              />
              <Select
                label="If a record already exists"
                placeholder="Create a new one"
                clearable
                data={matches.map((one) => ({
                  value: one,
                  label: `Update the one with the same ${(labels[one] ?? one).toLowerCase()}`,
                }))}
                value={match}
                onChange={setMatch}
              />
              {unread && (
                <Alert color="red" variant="outline" title="The file can’t be imported">
                  {unread.reason}
                </Alert>
              )}
              {missing.length > 0 && (
                <Text data-testid="not-imported" style={{ overflowWrap: 'anywhere' }}>
                  {missing.length === 1 ? 'This column is' : 'These columns are'} not imported: {missing.join(', ')}.
                </Text>
              )}
              {start.error && (
                <Alert color="red" variant="outline" title="The file was not imported">
                  <ErrorMessage error={start.error} />
                </Alert>
              )}
              <Group gap="xs">
                <Button loading={start.isPending} onClick={() => start.mutate(true)}>
                  Preview import
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
