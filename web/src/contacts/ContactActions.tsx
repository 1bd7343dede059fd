import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { post, remove } from '../api/client'
import { erase } from '../api/query'
import type { Contact } from '../api/types'
import { plural } from '../fields/format'
import { ProjectPicker, SequencePicker } from '../fields/Pickers'
import { humanize, type Row } from '../fields/spec'
import { CONTACT_CHOICES } from '../generated/fields'
import { ADDRESSES_STAY_REFUSED, EraseDialog, REMOVED_WITH_CONTACT } from '../record/Erase'
import { useCan, useManages } from '../session'
import type { Run } from '../table/BulkBar'
import {
  type Chosen,
  createMany,
  eachOf,
  nothingYet,
  type Outcome,
  pages,
  retagging,
  reversible,
  updateMany,
} from '../table/bulk'
import { Chooser, TagChooser } from '../table/Choosers'
import { enrollSelected } from './enroll'

type ContactRow = Contact & Row
type Props = { run: Run<ContactRow>; selected: ContactRow[]; number: number }

const STATES = CONTACT_CHOICES.global_status.filter((one) => one !== 'archived')

/** Removes candidates that were just added. */
const removeMade = ({ made }: Outcome) =>
  eachOf(
    { rows: made.map((id): Row => ({ id })) },
    (row) => remove(`/pipeline-entries/${row.id}`),
    () => {},
  )

/** Actions on many contacts at once. */
export function ContactActions({ run, selected, number }: Props) {
  const navigate = useNavigate()
  const write = useCan('contacts:write')
  const archive = useCan('contacts:delete')
  const manages = useManages()
  const [erasing, dialog] = useDisclosure(false)
  const pipeline = useCan('pipeline:write')
  const enroll = useCan('sequences:write')
  const enrich = useCan('enrichment:write')
  if (!write) return null
  const setAll = (label: string, changes: Partial<ContactRow>) => {
    const { work, undo } = reversible<ContactRow>('contacts', changes)
    return run(label, work, undo)
  }
  const retag = (label: string, next: (tags: string[]) => string[]) => {
    const { work, undo } = retagging<ContactRow>('contacts', next)
    return run(label, work, undo)
  }
  return (
    <>
      <TagChooser
        onAdd={(names) =>
          retag('Tagged', (tags) => [...tags, ...names.filter((one) => !low(tags).includes(one.toLowerCase()))])
        }
        onRemove={(names) =>
          retag('Tags removed', (tags) => tags.filter((one) => !low(names).includes(one.toLowerCase())))
        }
      />
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default">Status</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STATES.map((state) => (
            <Menu.Item key={state} onClick={() => setAll(`Status ${humanize(state)}`, { global_status: state })}>
              {humanize(state)}
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
          onPick={(id) =>
            run(
              'Added to project',
              (chosen, onProgress) =>
                createMany('pipeline-entries', chosen, (row) => ({ project_id: id, contact_id: row.id }), onProgress),
              removeMade,
            )
          }
        />
      )}
      {enroll && (
        <Chooser
          label="Enroll"
          picker={(onPick) => <SequencePicker onPick={onPick} comboboxProps={{ withinPortal: false }} />}
          onPick={(id) => enrollSelected(run, id, number, (row) => row.id)}
        />
      )}
      {enrich && (
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default">Find</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>One credit for each result</Menu.Label>
            <Menu.Item onClick={() => run('Looking for emails', lookUp(['email']))}>Email addresses</Menu.Item>
            <Menu.Item onClick={() => run('Looking for phones', lookUp(['phone']))}>Phone numbers</Menu.Item>
            <Menu.Item onClick={() => run('Looking for both', lookUp(['email', 'phone']))}>Both</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {archive && selected.length > 1 && selected.length <= 20 && (
        <Button
          variant="default"
          onClick={() => navigate({ to: '/duplicates', search: { ids: selected.map((one) => one.id).join(',') } })}
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
      {archive && manages && (
        <Button variant="default" color="red" onClick={dialog.open}>
          Erase…
        </Button>
      )}
      {erasing && (
        <EraseDialog
          title={`Erase ${plural(number, 'contact')}?`}
          confirmation={`erase ${number}`}
          removed={REMOVED_WITH_CONTACT}
          stays={ADDRESSES_STAY_REFUSED}
          erase={() => {
            dialog.close()
            return run('Erased', (chosen, onProgress) => eachOf(chosen, (row) => erase('contacts', row.id), onProgress))
          }}
          onClose={dialog.close}
        />
      )}
    </>
  )
}

const low = (list: string[]) => list.map((one) => one.toLowerCase())

const restore = (outcome: Outcome) =>
  updateMany(
    'contacts',
    { rows: outcome.ids.map((id): Row => ({ id })) },
    () => ({ archived_at: null }),
    () => {},
  )

const lookUp = (types: string[]) => async (chosen: Chosen<ContactRow>, onProgress: (done: number) => void) => {
  const outcome = nothingYet()
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
