import { Button, Checkbox, ColorInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { post, put, remove } from '../api/client'
import type { List } from '../api/lists'
import { refresh, useListOf } from '../api/query'
import { Card, Loaded } from '../shell/Page'
import { Delete, Dialog } from './parts'
import { type Stage, Stages } from './Stages'

type StageSet<S> = { id: string; name: string; is_default: boolean; stages: S[] }

/** Records with stages: deal pipelines and project templates. */
export type Kind<S extends Stage, T> = {
  noun: string
  /** The path of the list, and those for changes of sets and stages. */
  list: List<StageSet<S>>
  sets: '/dashboard/deal-pipelines' | '/dashboard/project-templates'
  stages: '/dashboard/deal-stages' | '/dashboard/template-stages'
  /** The queries to refetch after a change. */
  refreshes: string[]
  /** What the default one means. */
  standard: string
  /** The effect of a deletion. */
  removed: string
  note: (stage: S) => string
  /** The member that only these stages have. */
  own: (stage: Partial<S>) => T
  input: (value: T, set: (value: T) => void) => ReactNode
  body: (value: T) => Record<string, unknown>
}

export function StageSets<S extends Stage, T>({ kind }: { kind: Kind<S, T> }) {
  const known = useListOf(kind.list)
  const [edited, setEdited] = useState<{ set: Partial<StageSet<S>> } | { stage: Partial<S>; of: string }>()
  const close = () => setEdited(undefined)
  return (
    <Stack gap="md">
      <div>
        <Button onClick={() => setEdited({ set: {} })}>New {kind.noun}</Button>
      </div>
      <Loaded of={known}>
        {() =>
          known.data?.data.map((one) => (
            <Card
              key={one.id}
              title={`${one.name}${one.is_default ? ' (default)' : ''}`}
              flush
              actions={
                <>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited({ stage: {}, of: one.id })}>
                    Add stage
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited({ set: one })}>
                    Edit
                  </Button>
                  {!one.is_default && (
                    <Delete
                      label={`Delete ${one.name}`}
                      action={`Delete ${kind.noun}`}
                      refreshes={kind.refreshes}
                      onDelete={() => remove(`${kind.sets}/${one.id}`)}
                    >
                      {kind.removed}
                    </Delete>
                  )}
                </>
              }
            >
              <Stages
                stages={one.stages}
                path={kind.stages}
                refreshes={kind.refreshes}
                note={kind.note}
                onEdit={(stage) => setEdited({ stage, of: one.id })}
              />
            </Card>
          ))
        }
      </Loaded>
      {edited && 'set' in edited && <EditSet kind={kind} set={edited.set} onClose={close} />}
      {edited && 'stage' in edited && <EditStage kind={kind} stage={edited.stage} of={edited.of} onClose={close} />}
    </Stack>
  )
}

type Editing<S extends Stage, T> = { kind: Kind<S, T>; onClose: () => void }

function EditSet<S extends Stage, T>({ kind, set, onClose }: Editing<S, T> & { set: Partial<StageSet<S>> }) {
  const [name, setName] = useState(set.name ?? '')
  const [standard, setStandard] = useState(set.is_default ?? false)
  const body = { name, ...(set.id && standard && !set.is_default ? { is_default: true } : {}) }
  const save = () =>
    (set.id ? put(`${kind.sets}/${set.id}`, body) : post(kind.sets, body)).then(() => refresh(...kind.refreshes))
  return (
    <Dialog title={`${set.id ? 'Edit' : 'New'} ${kind.noun}`} action="Save" onClose={onClose} onSave={save}>
      <Name value={name} onChange={setName} />
      {set.id && (
        <Checkbox
          label={kind.standard}
          disabled={set.is_default}
          checked={standard}
          onChange={(event) => setStandard(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}

function EditStage<S extends Stage, T>({
  kind,
  stage,
  of,
  onClose,
}: Editing<S, T> & { stage: Partial<S>; of: string }) {
  const [name, setName] = useState(stage.name ?? '')
  const [own, setOwn] = useState<T>(() => kind.own(stage))
  const [color, setColor] = useState(stage.color ?? '')
  const id: string | undefined = stage.id
  const body = { name, ...kind.body(own), color: color || null }
  const save = () =>
    (id ? put(`${kind.stages}/${id}`, body) : post(`${kind.sets}/${of}/stages`, body)).then(() =>
      refresh(...kind.refreshes),
    )
  return (
    <Dialog title={stage.id ? 'Change stage' : 'New stage'} action="Save" onClose={onClose} onSave={save}>
      <Name value={name} onChange={setName} />
      {kind.input(own, setOwn)}
      <ColorInput label="Colour" value={color} onChange={setColor} format="hex" />
    </Dialog>
  )
}

function Name({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      label="Name"
      required
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
