import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { firstOf, type Params } from '../api/client'
import { usePages } from '../api/query'
import type { Sequence } from '../api/types'
import { ago, count } from '../fields/format'
import { ProjectPicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import { labelsOf, optionsOf } from '../fields/spec'
import { SEQUENCE_FIELDS } from '../generated/fields'
import { useCan, useMembers } from '../session'
import { CopyRequest } from '../shell/Copy'
import { Link } from '../shell/Link'
import { Empty, Loaded, Page } from '../shell/Page'
import { useKeys } from '../shell/useKeys'
import { QuickAdd } from '../table/QuickAdd'
import classes from './sequences.module.css'

const label = labelsOf(SEQUENCE_FIELDS)

type Search = { status?: string; new?: string }

export function Sequences() {
  const navigate = useNavigate()
  const may = useCan('sequences:write')
  const { nameOf } = useMembers()
  const search = useSearch({ from: '__root__' })
  const set = (changes: Search) => navigate({ to: '.', search: { ...search, ...changes }, replace: true })
  const shown = firstOf(search.status) ?? 'neq.archived'
  const params: Params = { sort: '-updated_at', limit: '50', status: shown }
  const sequences = usePages('/sequences', params)
  const all = sequences.data?.pages.flatMap((page) => page.data) ?? []
  useKeys([['n', () => may && set({ new: '1' })]])
  return (
    <Page
      title="Sequences"
      head={
        <SegmentedControl
          size="xs"
          aria-label="Which sequences"
          data={[
            { value: 'neq.archived', label: 'All' },
            { value: 'active', label: 'Active' },
            { value: 'draft', label: 'Drafts' },
            { value: 'paused', label: 'Paused' },
            { value: 'archived', label: 'Archived' },
          ]}
          value={shown}
          onChange={(status) => set({ status: status === 'neq.archived' ? undefined : status })}
        />
      }
      actions={
        <>
          <CopyRequest path="/sequences" params={params} />
          {may && (
            <Button leftSection={<IconPlus size={14} />} onClick={() => set({ new: '1' })}>
              New sequence
            </Button>
          )}
        </>
      }
    >
      <Loaded of={sequences}>
        {() =>
          all.length === 0 ? (
            <Empty
              icon={IconSend}
              title="No sequences"
              action={may && <Button onClick={() => set({ new: '1' })}>Add the first</Button>}
            >
              A sequence writes to people step by step, and stops when they answer.
            </Empty>
          ) : (
            <div className="card" style={{ overflowX: 'auto' }}>
              <table className={classes.table}>
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>Status</th>
                    <th className={classes.number}>Steps</th>
                    <th className={classes.number}>Enrolled</th>
                    <th className={classes.number}>Active</th>
                    <th className={classes.number}>Replied</th>
                    <th className={classes.number}>Bounced</th>
                    <th className={classes.number}>Failed</th>
                    <th>Owner</th>
                    <th>Changed</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((one) => (
                    <tr key={one.id}>
                      <td>
                        <Link to={`/sequences/${one.id}`} style={{ fontWeight: 600, color: 'inherit' }}>
                          {one.name}
                        </Link>
                      </td>
                      <td>
                        <Chip value={one.status} />
                      </td>
                      <td className={classes.number}>{one.steps_count}</td>
                      <td className={classes.number}>{count(one.enrollments.total)}</td>
                      <td className={classes.number}>{count(one.enrollments.active)}</td>
                      <td className={classes.number}>
                        {count(one.enrollments.replied)}
                        {one.enrollments.total > 0 && (
                          <span className="dim">
                            {' '}
                            {Math.round((100 * one.enrollments.replied) / one.enrollments.total)} %
                          </span>
                        )}
                      </td>
                      <td className={classes.number}>{count(one.enrollments.bounced)}</td>
                      <td className={classes.number}>{count(one.enrollments.failed)}</td>
                      <td>{one.owner_ids.map(nameOf).join(', ')}</td>
                      <td className="dim">{ago(one.updated_at)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      <NewSequence opened={search.new === '1'} onClose={() => set({ new: undefined })} />
    </Page>
  )
}

const MODES: Record<Sequence['mode'], string> = { simple: 'Linear', advanced: 'With branches' }

function NewSequence({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <QuickAdd
      title="New sequence"
      path="/sequences"
      opened={opened}
      onClose={onClose}
      onMade={(sequence) => navigate({ to: '/sequences/$id', params: { id: sequence.id }, search: { open: 'steps' } })}
      initial={{ name: '', mode: 'simple', project_id: null }}
    >
      {(form) => (
        <>
          <TextInput label={label('name')} required data-autofocus {...form.text('name')} />
          <Select
            label={label('mode')}
            allowDeselect={false}
            data={optionsOf(MODES)}
            value={form.choice('mode')}
            onChange={(mode) => form.set('mode', mode)}
          />
          <ProjectPicker
            label="Project"
            size="sm"
            value={form.choice('project_id')}
            onPick={(id) => form.set('project_id', id)}
          />
        </>
      )}
    </QuickAdd>
  )
}
