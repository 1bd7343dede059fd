import { Button, ColorInput, Select, TextInput } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { Tag } from '../api/types'
import { choiceOf, humanize, options } from '../fields/spec'
import { TAG_CHOICES } from '../generated/fields'
import { useCan } from '../session'
import { Card, Empty, Loaded } from '../shell/Page'
import { Delete, Dialog } from './parts'

export function Tags() {
  const tags = useList('/tags', { limit: '100', sort: 'name' })
  const may = useCan('tags:write')
  const [edited, setEdited] = useState<Partial<Tag>>()
  const [merged, setMerged] = useState<Tag>()
  return (
    <Card
      title="Tags"
      flush
      actions={
        may && <Button onClick={() => setEdited({ name: '', color: '#6b7280', scope: 'global' })}>New tag</Button>
      }
    >
      <Loaded of={tags}>
        {() =>
          tags.data?.data.length ? (
            tags.data.data.map((one) => (
              <div key={one.id} className="row-link">
                <span className="chip-dot" style={{ background: one.color }} />
                <span className="grow cut">{one.name}</span>
                <span className="dim">{one.scope === 'global' ? 'Everywhere' : humanize(one.scope)}</span>
                {may && (
                  <>
                    <Button size="compact-xs" variant="default" onClick={() => setEdited(one)}>
                      Edit
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Merge ${one.name}`}
                      onClick={() => setMerged(one)}
                    >
                      Merge
                    </Button>
                    <Delete
                      label={`Delete ${one.name}`}
                      action="Delete tag"
                      refreshes={['tags', 'contacts', 'companies']}
                      onDelete={() => remove(`/tags/${one.id}`)}
                    >
                      It is removed from all contacts and companies. The records stay.
                    </Delete>
                  </>
                )}
              </div>
            ))
          ) : (
            <Empty icon={IconTag} title="No tags yet">
              New tags are also created where you type them.
            </Empty>
          )
        }
      </Loaded>
      {edited && <Edit tag={edited} onClose={() => setEdited(undefined)} />}
      {merged && <Merge tag={merged} tags={tags.data?.data ?? []} onClose={() => setMerged(undefined)} />}
    </Card>
  )
}

function Edit({ tag, onClose }: { tag: Partial<Tag>; onClose: () => void }) {
  const [name, setName] = useState(tag.name ?? '')
  const [color, setColor] = useState(tag.color ?? '#6b7280')
  const [scope, setScope] = useState<Tag['scope']>(tag.scope ?? 'global')
  const save = () =>
    (tag.id ? put(`/tags/${tag.id}`, { name, color, scope }) : post('/tags', { name, color, scope })).then(() =>
      refresh('tags', 'contacts', 'companies'),
    )
  return (
    <Dialog title={tag.id ? 'Change tag' : 'New tag'} action="Save" onClose={onClose} onSave={save}>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ColorInput label="Colour" value={color} onChange={setColor} format="hex" />
      <Select
        label="For"
        allowDeselect={false}
        data={options(...TAG_CHOICES.scope)}
        value={scope}
        onChange={(next) => setScope(choiceOf(TAG_CHOICES.scope, next) ?? scope)}
      />
    </Dialog>
  )
}

function Merge({ tag, tags, onClose }: { tag: Tag; tags: Tag[]; onClose: () => void }) {
  const [into, setInto] = useState<string | null>(null)
  const merge = () =>
    post('/tags/merge', { into: into ?? '', from: [tag.id] }).then(() => refresh('tags', 'contacts', 'companies'))
  return (
    <Dialog title={`Merge ${tag.name}`} action="Merge" onClose={onClose} onSave={merge}>
      <Select
        label="Into"
        description={`Records with ${tag.name} get this tag, and ${tag.name} is deleted. This can't be undone.`}
        required
        searchable
        data-autofocus
        data={tags.filter((one) => one.id !== tag.id).map((one) => ({ value: one.id, label: one.name }))}
        value={into}
        onChange={setInto}
      />
    </Dialog>
  )
}
