import { Button, Group, Menu, Popover, TagsInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { post } from '../api/client'
import { useList } from '../api/query'
import type { Contact, EnrollResult, Tag } from '../api/types'
import { ProjectPicker, SequencePicker } from '../fields/Pickers'
import { options, type Row } from '../fields/spec'
import { useCan } from '../session'
import type { Run } from '../table/BulkBar'
import { type Outcome, pages, updateMany } from '../table/bulk'

type ContactRow = Contact & Row
type Props = { run: Run<ContactRow>; selected: ContactRow[] }

/** What can be done to many contacts at once. */
export function ContactActions({ run, selected }: Props) {
  const navigate = useNavigate()
  const write = useCan('contacts:write')
  const archive = useCan('contacts:delete')
  const pipeline = useCan('pipeline:write')
  const enroll = useCan('sequences:write')
  const enrich = useCan('enrichment:write')
  if (!write) return null
  const setAll = (label: string, data: object) =>
    run(label, (chosen, onProgress) => updateMany('contacts', chosen, () => data, onProgress))
  return (
    <>
      <TagChooser run={run} />
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default">Status</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {options('new', 'contacted', 'replied', 'qualified').map((one) => (
            <Menu.Item key={one.value} onClick={() => setAll(`Status ${one.label}`, { global_status: one.value })}>
              {one.label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setAll('Do not contact', { do_not_contact: true })}>Do not contact</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {pipeline && (
        <Chooser
          label="Add to project"
          picker={(onPick) => <ProjectPicker onPick={onPick} comboboxProps={{ withinPortal: false }} />}
          onPick={(id) => run('Added to project', addTo(id))}
        />
      )}
      {enroll && (
        <Chooser
          label="Enroll"
          picker={(onPick) => <SequencePicker onPick={onPick} comboboxProps={{ withinPortal: false }} />}
          onPick={(id) => run('Enrolled', enrollIn(id))}
        />
      )}
      {enrich && (
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default">Find</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>A credit each for what is found</Menu.Label>
            <Menu.Item onClick={() => run('Looking for emails', lookUp(['email']))}>Email addresses</Menu.Item>
            <Menu.Item onClick={() => run('Looking for phones', lookUp(['phone']))}>Phone numbers</Menu.Item>
            <Menu.Item onClick={() => run('Looking for both', lookUp(['email', 'phone']))}>Both</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {archive && selected.length > 1 && selected.length <= 20 && (
        <Button
          variant="default"
          onClick={() =>
            navigate({ to: '/duplicates', search: { ids: selected.map((one) => one.id).join(',') } as never })
          }
        >
          Merge
        </Button>
      )}
      {archive && (
        <Button
          variant="default"
          onClick={() =>
            run(
              'Archived',
              (chosen, onProgress) => updateMany('contacts', chosen, () => ({ global_status: 'archived' }), onProgress),
              (outcome) => restore(outcome),
            )
          }
        >
          Archive
        </Button>
      )}
    </>
  )
}

const restore = (outcome: Outcome) =>
  updateMany(
    'contacts',
    { rows: outcome.ids.map((id) => ({ id })) as ContactRow[] },
    () => ({ archived_at: null }),
    () => {},
  )

const addTo =
  (projectId: string) =>
  async (chosen: Parameters<typeof pages<ContactRow>>[0], onProgress: (done: number) => void) => {
    const outcome: Outcome = { done: 0, failed: 0, reasons: [], ids: [] }
    for await (const rows of pages(chosen)) {
      const items = rows.map((row) => ({ op: 'create', data: { project_id: projectId, contact_id: row.id } }))
      const { data } = await post<{ results: { status: number; error?: { message: string } }[] }>(
        '/pipeline-entries/bulk',
        { items },
      )
      for (const result of data.results) {
        if (result.status < 300) outcome.done += 1
        else {
          outcome.failed += 1
          if (result.error && !outcome.reasons.includes(result.error.message))
            outcome.reasons.push(result.error.message)
        }
      }
      onProgress(outcome.done + outcome.failed)
    }
    return outcome
  }

const enrollIn =
  (sequenceId: string) =>
  async (chosen: Parameters<typeof pages<ContactRow>>[0], onProgress: (done: number) => void) => {
    const outcome: Outcome = { done: 0, failed: 0, reasons: [], ids: [] }
    for await (const rows of pages(chosen)) {
      const { data } = await post<EnrollResult>(`/sequences/${sequenceId}/enroll`, {
        contact_ids: rows.map((row) => row.id),
      })
      outcome.done += data.enrolled
      outcome.failed += rows.length - data.enrolled
      if (data.skipped_blacklisted) outcome.reasons.push(`${data.skipped_blacklisted} may not be written to`)
      if (data.skipped_already_enrolled) outcome.reasons.push(`${data.skipped_already_enrolled} were enrolled before`)
      if (data.skipped_active_elsewhere)
        outcome.reasons.push(`${data.skipped_active_elsewhere} are in another sequence`)
      onProgress(outcome.done + outcome.failed)
    }
    return outcome
  }

const lookUp =
  (types: string[]) => async (chosen: Parameters<typeof pages<ContactRow>>[0], onProgress: (done: number) => void) => {
    const outcome: Outcome = { done: 0, failed: 0, reasons: [], ids: [] }
    for await (const rows of pages(chosen)) {
      for (let at = 0; at < rows.length; at += 100) {
        const contact_ids = rows.slice(at, at + 100).map((row) => row.id)
        await post('/enrichment', { contact_ids, types })
        outcome.done += contact_ids.length
        onProgress(outcome.done)
      }
    }
    return outcome
  }

function TagChooser({ run }: { run: Run<ContactRow> }) {
  const tags = useList<Tag>('/tags', { limit: '100', sort: 'name' }).data?.data ?? []
  const [names, setNames] = useState<string[]>([])
  const [opened, setOpened] = useState(false)
  const change = (label: string, next: (row: ContactRow) => string[]) => {
    setOpened(false)
    setNames([])
    run(label, (chosen, onProgress) =>
      updateMany(
        'contacts',
        chosen,
        (row) => {
          const after = next(row)
          return after.length === row.tags.length && after.every((one) => row.tags.includes(one))
            ? null
            : { tags: after }
        },
        onProgress,
      ),
    )
  }
  const low = (list: string[]) => list.map((one) => one.toLowerCase())
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)}>
          Tag
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <TagsInput
          size="xs"
          label="Tags"
          placeholder="Type and press Enter"
          data={tags.map((tag) => tag.name)}
          value={names}
          onChange={setNames}
          comboboxProps={{ withinPortal: false }}
        />
        <Group mt="xs" gap="xs">
          <Button
            disabled={names.length === 0}
            onClick={() =>
              change('Tagged', (row) => [
                ...row.tags,
                ...names.filter((one) => !low(row.tags).includes(one.toLowerCase())),
              ])
            }
          >
            Add tags
          </Button>
          <Button
            variant="default"
            disabled={names.length === 0}
            onClick={() =>
              change('Tags taken off', (row) => row.tags.filter((one) => !low(names).includes(one.toLowerCase())))
            }
          >
            Remove tags
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

type ChooserProps = {
  label: string
  picker: (onPick: (id: string | null) => void) => ReactNode
  onPick: (id: string) => void
}

function Chooser({ label, picker, onPick }: ChooserProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {picker((id) => {
          if (!id) return
          setOpened(false)
          onPick(id)
        })}
      </Popover.Dropdown>
    </Popover>
  )
}
