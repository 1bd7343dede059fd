import { Button, Checkbox, ColorInput, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { ProjectTemplate } from '../api/types'
import { options, words } from '../fields/spec'
import { Card, Loaded } from '../shell/Page'
import { Delete, Dialog } from './parts'
import { Stages } from './Stages'

type Stage = ProjectTemplate['stages'][number]
type Edited = { template?: Partial<ProjectTemplate>; stage?: Partial<Stage>; of?: string }

const WORDS = ['project-templates']
const CATEGORIES = options('sourced', 'contacted', 'replied', 'interview', 'offer', 'hired', 'rejected', 'other')

export function Templates() {
  const templates = useList<ProjectTemplate>('/project-templates')
  const [edited, setEdited] = useState<Edited>()
  const close = () => setEdited(undefined)
  return (
    <Stack gap="md">
      <div>
        <Button onClick={() => setEdited({ template: {} })}>New template</Button>
      </div>
      <Loaded of={templates}>
        {() =>
          templates.data?.data.map((one) => (
            <Card
              key={one.id}
              title={`${one.name}${one.is_default ? ' (default)' : ''}`}
              flush
              actions={
                <>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited({ stage: {}, of: one.id })}>
                    Add stage
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited({ template: one })}>
                    Change
                  </Button>
                  {!one.is_default && (
                    <Delete
                      label={`Delete ${one.name}`}
                      words={WORDS}
                      onDelete={() => remove(`/dashboard/project-templates/${one.id}`)}
                    />
                  )}
                </>
              }
            >
              <Stages
                stages={one.stages}
                path="/dashboard/template-stages"
                words={WORDS}
                note={(stage) => words(stage.system_category)}
                onEdit={(stage) => setEdited({ stage, of: one.id })}
              />
            </Card>
          ))
        }
      </Loaded>
      {edited?.template && <EditTemplate template={edited.template} onClose={close} />}
      {edited?.stage && <EditStage stage={edited.stage} of={edited.of as string} onClose={close} />}
    </Stack>
  )
}

function EditTemplate({ template, onClose }: { template: Partial<ProjectTemplate>; onClose: () => void }) {
  const [name, setName] = useState(template.name ?? '')
  const [standard, setStandard] = useState(template.is_default ?? false)
  const body = { name, ...(template.id && standard && !template.is_default ? { is_default: true } : {}) }
  const keep = () =>
    (template.id
      ? put(`/dashboard/project-templates/${template.id}`, body)
      : post('/dashboard/project-templates', body)
    ).then(() => refresh(...WORDS))
  return (
    <Dialog title={template.id ? 'Change template' : 'New template'} action="Save" onClose={onClose} onKeep={keep}>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {template.id && (
        <Checkbox
          label="New projects begin with it"
          disabled={template.is_default}
          checked={standard}
          onChange={(event) => setStandard(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}

function EditStage({ stage, of, onClose }: { stage: Partial<Stage>; of: string; onClose: () => void }) {
  const [name, setName] = useState(stage.name ?? '')
  const [category, setCategory] = useState<string>(stage.system_category ?? 'other')
  const [color, setColor] = useState(stage.color ?? '')
  const body = { name, system_category: category, ...(color ? { color } : {}) }
  const keep = () =>
    (stage.id
      ? put(`/dashboard/template-stages/${stage.id}`, body)
      : post(`/dashboard/project-templates/${of}/stages`, body)
    ).then(() => refresh(...WORDS))
  return (
    <Dialog title={stage.id ? 'Change stage' : 'New stage'} action="Save" onClose={onClose} onKeep={keep}>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="What it means"
        allowDeselect={false}
        data={CATEGORIES}
        value={category}
        onChange={(next) => next && setCategory(next)}
      />
      <ColorInput label="Colour" value={color} onChange={setColor} format="hex" />
    </Dialog>
  )
}
