import { Button, Checkbox, ColorInput, NumberInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { DealPipeline } from '../api/types'
import { Card, Loaded } from '../shell/Page'
import { Delete, Dialog } from './parts'
import { Stages } from './Stages'

type Stage = DealPipeline['stages'][number]
type Edited = { pipeline?: Partial<DealPipeline>; stage?: Partial<Stage>; of?: string }

const WORDS = ['deal-pipelines', 'deals']

export function Pipelines() {
  const pipelines = useList<DealPipeline>('/deal-pipelines')
  const [edited, setEdited] = useState<Edited>()
  const close = () => setEdited(undefined)
  return (
    <Stack gap="md">
      <div>
        <Button onClick={() => setEdited({ pipeline: {} })}>New pipeline</Button>
      </div>
      <Loaded of={pipelines}>
        {() =>
          pipelines.data?.data.map((one) => (
            <Card
              key={one.id}
              title={`${one.name}${one.is_default ? ' (default)' : ''}`}
              flush
              actions={
                <>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited({ stage: {}, of: one.id })}>
                    Add stage
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => setEdited({ pipeline: one })}>
                    Change
                  </Button>
                  {!one.is_default && (
                    <Delete
                      label={`Delete ${one.name}`}
                      words={WORDS}
                      onDelete={() => remove(`/dashboard/deal-pipelines/${one.id}`)}
                    />
                  )}
                </>
              }
            >
              <Stages
                stages={one.stages}
                path="/dashboard/deal-stages"
                words={WORDS}
                note={(stage) => `${stage.probability ?? '–'} %, ${stage.deals_count} deals`}
                onEdit={(stage) => setEdited({ stage, of: one.id })}
              />
            </Card>
          ))
        }
      </Loaded>
      {edited?.pipeline && <EditPipeline pipeline={edited.pipeline} onClose={close} />}
      {edited?.stage && <EditStage stage={edited.stage} of={edited.of as string} onClose={close} />}
    </Stack>
  )
}

function EditPipeline({ pipeline, onClose }: { pipeline: Partial<DealPipeline>; onClose: () => void }) {
  const [name, setName] = useState(pipeline.name ?? '')
  const [standard, setStandard] = useState(pipeline.is_default ?? false)
  const body = { name, ...(pipeline.id && standard && !pipeline.is_default ? { is_default: true } : {}) }
  const keep = () =>
    (pipeline.id
      ? put(`/dashboard/deal-pipelines/${pipeline.id}`, body)
      : post('/dashboard/deal-pipelines', body)
    ).then(() => refresh(...WORDS))
  return (
    <Dialog title={pipeline.id ? 'Change pipeline' : 'New pipeline'} action="Save" onClose={onClose} onKeep={keep}>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {pipeline.id && (
        <Checkbox
          label="New deals go here"
          disabled={pipeline.is_default}
          checked={standard}
          onChange={(event) => setStandard(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}

function EditStage({ stage, of, onClose }: { stage: Partial<Stage>; of: string; onClose: () => void }) {
  const [name, setName] = useState(stage.name ?? '')
  const [probability, setProbability] = useState<number | string>(stage.probability ?? '')
  const [color, setColor] = useState(stage.color ?? '')
  const body = { name, probability: probability === '' ? null : Number(probability), ...(color ? { color } : {}) }
  const keep = () =>
    (stage.id
      ? put(`/dashboard/deal-stages/${stage.id}`, body)
      : post(`/dashboard/deal-pipelines/${of}/stages`, body)
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
      <NumberInput label="Probability in percent" min={0} max={100} value={probability} onChange={setProbability} />
      <ColorInput label="Colour" value={color} onChange={setColor} format="hex" />
    </Dialog>
  )
}
