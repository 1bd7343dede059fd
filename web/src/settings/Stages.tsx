import { ActionIcon, Button, Group, Select } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { put, remove } from '../api/client'
import { refresh } from '../api/query'
import { notifyError } from '../shell/notices'
import { Delete, Dialog } from './parts'

export type Stage = { id: string; name: string; position: number; color?: string | null; deals_count?: number }

type Props<S extends Stage> = {
  stages: S[]
  /** `/dashboard/deal-stages` or `/dashboard/template-stages`. */
  path: '/dashboard/deal-stages' | '/dashboard/template-stages'
  refreshes: string[]
  note: (stage: S) => ReactNode
  onEdit: (stage: S) => void
}

/** Stages in order: they can be moved, changed, and deleted with a target for their records. */
export function Stages<S extends Stage>({ stages, path, refreshes, note, onEdit }: Props<S>) {
  const [leaving, setLeaving] = useState<S>()
  const move = (stage: S, position: number) =>
    put(`${path}/${stage.id}`, { position }).then(() => refresh(...refreshes), notifyError)
  return (
    <>
      {stages.map((stage, index) => (
        <div key={stage.id} className="row-link">
          <span className="chip-dot" style={{ background: stage.color ?? '#74818f' }} />
          <span className="grow cut">{stage.name}</span>
          <span className="dim not-small">{note(stage)}</span>
          <ActionIcon
            size="sm"
            aria-label={`${stage.name} earlier`}
            disabled={index === 0}
            onClick={() => move(stage, index - 1)}
          >
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon
            size="sm"
            aria-label={`${stage.name} later`}
            disabled={index === stages.length - 1}
            onClick={() => move(stage, index + 1)}
          >
            <IconArrowDown size={14} />
          </ActionIcon>
          <Button size="compact-xs" variant="default" onClick={() => onEdit(stage)}>
            Edit
          </Button>
          {stage.deals_count ? (
            <Button size="compact-xs" variant="default" onClick={() => setLeaving(stage)}>
              Delete…
            </Button>
          ) : (
            <Delete
              label={`Delete ${stage.name}`}
              action="Delete stage"
              refreshes={refreshes}
              onDelete={() => remove(`${path}/${stage.id}`)}
            >
              The stage is removed from its list. A stage that is in use is not deleted.
            </Delete>
          )}
        </div>
      ))}
      {leaving && (
        <MoveAndDelete
          stage={leaving}
          others={stages.filter((one) => one.id !== leaving.id)}
          path={path}
          refreshes={refreshes}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  )
}

type MoveProps = { stage: Stage; others: Stage[]; path: Props<Stage>['path']; refreshes: string[]; onClose: () => void }

function MoveAndDelete({ stage, others, path, refreshes, onClose }: MoveProps) {
  const [to, setTo] = useState<string | null>(others[0]?.id ?? null)
  return (
    <Dialog
      title={`Delete ${stage.name}`}
      action="Move and delete"
      onClose={onClose}
      onSave={() => remove(`${path}/${stage.id}`, to ? { move_to: to } : {}).then(() => refresh(...refreshes))}
    >
      <Group>
        <Select
          label={`Move its records to`}
          allowDeselect={false}
          data={others.map((one) => ({ value: one.id, label: one.name }))}
          value={to}
          onChange={setTo}
        />
      </Group>
    </Dialog>
  )
}
