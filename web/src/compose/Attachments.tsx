import { ActionIcon, Button, Menu, Progress, Text } from '@mantine/core'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { uploadForm } from '../api/client'
import { refresh, useList } from '../api/query'
import { plural, size } from '../fields/format'
import { useCan } from '../session'
import { notifyError } from '../shell/notices'
import classes from './compose.module.css'
import { type Attached, bytesOf, MOST_BYTES, MOST_FILES } from './draft'

/** The record whose files are attached, and which gets uploaded ones. */
export type FilesPath = `/contacts/${string}` | `/projects/${string}`

type Upload = { key: number; filename: string; share: number; abort: () => void }

/** The server's limit for one file. */
const LARGEST = 10 * 1024 * 1024

let made = 0

/** Uploads files to the record and attaches them. */
export function useUploads(path: FilesPath | null, onAttach: (file: Attached) => void) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const attach = useRef(onAttach)
  attach.current = onAttach
  const add = async (files: File[]) => {
    if (!path) return
    for (const file of files) {
      if (file.size > LARGEST) {
        notifyError(new Error(`${file.name} has ${size(file.size)}. A file can have ${size(LARGEST)}.`))
        continue
      }
      const key = ++made
      const control = new AbortController()
      setUploads((all) => [...all, { key, filename: file.name, share: 0, abort: () => control.abort() }])
      const report = (share: number) =>
        setUploads((all) => all.map((one) => (one.key === key ? { ...one, share } : one)))
      const form = new FormData()
      form.append('file', file)
      try {
        const { data } = await uploadForm(`${path}/files`, form, report, control.signal)
        attach.current({ id: data.id, filename: data.filename, size: data.size, isNew: true })
        refresh('files', 'timeline')
      } catch (error) {
        if (!control.signal.aborted) notifyError(error)
      } finally {
        setUploads((all) => all.filter((one) => one.key !== key))
      }
    }
  }
  return { uploads, add }
}

type MenuProps = {
  path: FilesPath
  /** What the record is called in the list of its files: `Files of Ada`. */
  title: string
  attached: Attached[]
  onAttach: (file: Attached) => void
  onUpload: (files: File[]) => void
  /** Further items, such as another source of files. */
  children?: ReactNode
}

/** A button that attaches files of the record, or new ones. */
export function AttachMenu({ path, title, attached, onAttach, onUpload, children }: MenuProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOpened, setOpened] = useState(false)
  const mayUpload = useCan(path.startsWith('/projects') ? 'projects:write' : 'contacts:write')
  const files = useList(isOpened ? `${path}/files` : null).data?.data ?? []
  const others = files.filter((file) => !attached.some((one) => one.id === file.id))
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onUpload([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Menu position="bottom-start" onOpen={() => setOpened(true)}>
        <Menu.Target>
          <Button variant="subtle" color="gray" leftSection={<IconPaperclip size={14} />}>
            Attach
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} maw={340} style={{ overflowY: 'auto' }}>
          {mayUpload && <Menu.Item onClick={() => input.current?.click()}>Upload files…</Menu.Item>}
          <Menu.Label>{title}</Menu.Label>
          {others.map((file) => (
            <Menu.Item
              key={file.id}
              rightSection={<span className="dim num">{size(file.size)}</span>}
              onClick={() => onAttach({ id: file.id, filename: file.filename, size: file.size })}
            >
              <span className="cut">{file.filename}</span>
            </Menu.Item>
          ))}
          {others.length === 0 && <Menu.Item disabled>No other files</Menu.Item>}
          {children}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

/** Why the attachments can't be sent, if they are too many or too large. */
export const overLimit = (files: Attached[]): string | undefined => {
  if (files.length > MOST_FILES) return `A mail takes ${MOST_FILES} files at most`
  if (bytesOf(files) > MOST_BYTES) return `A mail takes ${MOST_BYTES / 1_000_000} MB at most. Remove a file`
  return undefined
}

type ListProps = { files: Attached[]; uploads?: Upload[]; error?: ReactNode; onRemove?: (file: Attached) => void }

/** The attachments of a message, with uploads in progress. */
export function Attachments({ files, uploads = [], error, onRemove }: ListProps) {
  if (files.length + uploads.length === 0 && !error) return null
  const problem = overLimit(files) ?? error
  return (
    <div>
      <ul className={classes.files} aria-label="Attachments">
        {files.map((file) => (
          <li key={file.id} className={classes.file}>
            <IconPaperclip size={14} aria-hidden />
            <span className="cut">{file.filename}</span>
            {file.size > 0 && <span className="dim num">{size(file.size)}</span>}
            {onRemove && (
              <ActionIcon size="sm" aria-label={`Remove ${file.filename}`} onClick={() => onRemove(file)}>
                <IconX size={12} />
              </ActionIcon>
            )}
          </li>
        ))}
        {uploads.map((one) => (
          <li key={one.key} className={classes.file}>
            <span className="cut">{one.filename}</span>
            <Progress value={one.share * 100} w={60} size="sm" aria-label={`Upload of ${one.filename}`} />
            <ActionIcon size="sm" aria-label={`Cancel upload of ${one.filename}`} onClick={one.abort}>
              <IconX size={12} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {problem ? (
        <Text size="xs" c="red" role="alert">
          {problem}
        </Text>
      ) : (
        bytesOf(files) > 0 && (
          <Text size="xs" c="dimmed">
            {plural(files.length, 'file')}, {megabytes(bytesOf(files))} of {MOST_BYTES / 1_000_000} MB
          </Text>
        )
      )}
    </div>
  )
}
