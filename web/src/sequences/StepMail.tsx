import { Anchor, Group, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useList } from '../api/query'
import { AddressInput } from '../compose/AddressInput'
import { AttachMenu, Attachments, useUploads } from '../compose/Attachments'
import type { Attached } from '../compose/draft'
import { ProjectPicker } from '../fields/Pickers'
import { useCan } from '../session'
import { type Draft, labelOf } from './steps'

type Props = {
  /** The project of the sequence, whose files can be attached. */
  project: string | null
  step: Draft
  locked: boolean
  wrong: (field: string) => ReactNode
  onChange: (changes: Partial<Draft>) => void
}

/** The files that were attached here, by id: a step stores only their ids. */
const names = new Map<string, Attached>()

/** Copies, the address for replies and attachments of an email that is sent automatically. */
export function StepMail({ project, step, locked, wrong, onChange }: Props) {
  const hasAny = step.cc.length + step.bcc.length > 0 || Boolean(step.reply_to)
  const isWrong = ['cc', 'bcc', 'reply_to'].some((field) => wrong(field))
  const [isOpen, setOpen] = useState(hasAny)
  return (
    <>
      {isOpen || isWrong ? (
        <>
          <AddressInput
            label={labelOf('cc')}
            disabled={locked}
            value={step.cc}
            onChange={(cc) => onChange({ cc })}
            error={wrong('cc')}
          />
          <AddressInput
            label={labelOf('bcc')}
            disabled={locked}
            value={step.bcc}
            onChange={(bcc) => onChange({ bcc })}
            error={wrong('bcc')}
          />
          <TextInput
            label={labelOf('reply_to')}
            description="Leave it empty to get replies in the account that sends"
            type="email"
            disabled={locked}
            value={step.reply_to ?? ''}
            onChange={(event) => onChange({ reply_to: event.currentTarget.value || null })}
            error={wrong('reply_to')}
          />
        </>
      ) : (
        !locked && (
          <div>
            <Anchor component="button" type="button" size="xs" onClick={() => setOpen(true)}>
              Cc, Bcc and Reply to
            </Anchor>
          </div>
        )
      )}
      <StepFiles project={project} step={step} locked={locked} wrong={wrong} onChange={onChange} />
    </>
  )
}

/** The attachments: files of a project, which get uploaded ones. */
function StepFiles({ project, step, locked, wrong, onChange }: Props) {
  const [chosen, setChosen] = useState(project)
  const maySee = useCan('projects:read')
  const path = chosen && maySee ? (`/projects/${chosen}` as const) : null
  const files = useList(path && step.attachments.length ? `${path}/files` : null).data?.data ?? []
  const attach = (file: Attached) => {
    names.set(file.id, file)
    onChange({ attachments: [...step.attachments, file.id] })
  }
  const { uploads, add } = useUploads(locked ? null : path, attach)
  const attached = step.attachments.map(
    (id) => names.get(id) ?? files.find((one) => one.id === id) ?? { id, filename: 'Attached file', size: 0 },
  )
  return (
    <div>
      {attached.length + uploads.length > 0 && (
        <Text size="sm" fw={500} mb={4}>
          {labelOf('attachments')}
        </Text>
      )}
      <Attachments
        files={attached}
        uploads={uploads}
        error={wrong('attachments')}
        onRemove={
          locked ? undefined : (file) => onChange({ attachments: step.attachments.filter((id) => id !== file.id) })
        }
      />
      {!locked && maySee && (
        <Group gap="xs" mt={4}>
          {path && (
            <AttachMenu path={path} title="Files of the project" attached={attached} onAttach={attach} onUpload={add} />
          )}
          {!project && (
            <ProjectPicker
              value={chosen}
              onPick={setChosen}
              placeholder="Attach files of a project"
              aria-label="Attach files of a project"
            />
          )}
        </Group>
      )}
    </div>
  )
}
