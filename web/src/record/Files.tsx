import { ActionIcon, Button, FileButton, Group, Text } from '@mantine/core'
import { IconPaperclip, IconTrash } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { address, postForm, remove } from '../api/client'
import type { Path } from '../api/paths'
import { refresh, useList } from '../api/query'
import type { File as Stored } from '../api/types'
import { ago, size } from '../fields/format'
import { type Scope, useCan } from '../session'
import { notify, notifyError } from '../shell/notices'
import { Empty, Loaded } from '../shell/Page'

export async function upload(path: Path<'post'>, file: File) {
  const form = new FormData()
  form.append('file', file)
  await postForm(path, form)
}

/** Accepts files that are dropped on it. */
export function Drop({ onFiles, children }: { onFiles: (files: File[]) => void; children: ReactNode }) {
  const [over, setOver] = useState(false)
  const drag = (event: DragEvent, state: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(state)
  }
  return (
    <section
      aria-label="Drop files here"
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        onFiles([...event.dataTransfer.files])
      }}
      style={{ outline: over ? '2px dashed var(--r-accent)' : undefined, outlineOffset: 4, borderRadius: 8 }}
    >
      {children}
    </section>
  )
}

export function Files({ path, scope }: { path: `/contacts/${string}` | `/projects/${string}`; scope: Scope }) {
  const files = useList(`${path}/files`)
  const may = useCan(scope)
  const add = async (chosen: File[]) => {
    for (const file of chosen) {
      try {
        await upload(`${path}/files`, file)
        notify(`${file.name} added`)
      } catch (error) {
        notifyError(error)
      }
    }
    refresh('files', 'timeline')
  }
  const drop = (file: Stored) =>
    remove(`${path}/files/${file.id}`).then(() => refresh('files', 'timeline'), notifyError)
  return (
    <Drop onFiles={add}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>Files</Text>
        {may && (
          <FileButton multiple onChange={add}>
            {(props) => (
              <Button variant="default" {...props}>
                Add files
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <Loaded of={files}>
        {() =>
          files.data?.data.length ? (
            <div className="card">
              {files.data.data.map((file) => (
                <div key={file.id} className="row-link">
                  <a className="grow cut" href={address(`${path}/files/${file.id}/content`)} download={file.filename}>
                    {file.filename}
                  </a>
                  <span className="dim num">{size(file.size)}</span>
                  <span className="dim">{ago(file.created_at)}</span>
                  {may && (
                    <ActionIcon aria-label={`Delete ${file.filename}`} onClick={() => drop(file)}>
                      <IconTrash size={14} />
                    </ActionIcon>
                  )}
                </div>
              ))}
            </div>
          ) : (
            <Empty icon={IconPaperclip} title="No files">
              Drop some here.
            </Empty>
          )
        }
      </Loaded>
    </Drop>
  )
}
