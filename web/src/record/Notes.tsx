import { ActionIcon, Button, Group, Menu, Text, Textarea } from '@mantine/core'
import { IconDots, IconPinFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh, useAction, usePages } from '../api/query'
import type { Note } from '../api/types'
import { ago, full } from '../fields/format'
import { useCan, useMembers } from '../session'
import { useDraft } from '../shell/drafts'
import { iconOf } from '../shell/icons'
import { Linked } from '../shell/Linked'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { Empty, Loaded } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'

type Noted = `/contacts/${string}` | `/companies/${string}` | `/deals/${string}` | `/projects/${string}`

/** Notes on a record, pinned ones first; Ctrl-Enter saves a new one. */
export function Notes({ path }: { path: Noted }) {
  const notes = usePages(`${path}/notes`, { limit: '50' })
  const may = useCan('notes:write')
  const [text, setText] = useDraft(`${path}/notes`)
  const add = useAction(
    () => post(`${path}/notes`, { content: text }),
    () => {
      setText('')
      refresh('notes', 'timeline')
    },
  )
  return (
    <div>
      {may && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate(undefined)
          }}
        >
          <Textarea
            aria-label="New note"
            placeholder="Write a note"
            autosize
            minRows={2}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) =>
              event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text.trim() && add.mutate(undefined)
            }
          />
          {add.error && <ErrorMessage error={add.error} />}
          <Group justify="flex-end" mt={6} mb="sm">
            <Button type="submit" variant="default" disabled={!text.trim()} loading={add.isPending}>
              Add note
            </Button>
          </Group>
        </form>
      )}
      <Loaded of={notes}>
        {() => {
          const all = notes.data?.pages.flatMap((page) => page.data) ?? []
          if (all.length === 0)
            return (
              <Empty title="No notes yet" icon={iconOf('notes')}>
                Everybody in the workspace can read notes.
              </Empty>
            )
          return (
            <>
              {all.map((note) => (
                <OneNote key={note.id} note={note} path={path} may={may} />
              ))}
              {notes.hasNextPage && (
                <Button variant="default" onClick={() => notes.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

function OneNote({ note, path, may }: { note: Note; path: Noted; may: boolean }) {
  const { nameOf } = useMembers()
  const [draft, setDraft] = useState<string>()
  const save = (changes: object) =>
    put(`/notes/${note.id}`, changes).then(() => refresh('notes', 'timeline'), notifyError)
  const drop = () =>
    remove(`/notes/${note.id}`).then(() => {
      refresh('notes', 'timeline')
      notifyWithUndo('Note deleted', () =>
        post(`${path}/notes`, { content: note.content, is_pinned: note.is_pinned }).then(() =>
          refresh('notes', 'timeline'),
        ),
      )
    }, notifyError)
  return (
    <article className="card" style={{ padding: 12, marginBottom: 8 }}>
      <Group gap={6} mb={4} wrap="nowrap">
        {note.is_pinned && <IconPinFilled size={14} aria-label="Pinned" />}
        <Text size="xs" c="dimmed" className="grow cut" title={full(note.created_at)}>
          {[nameOf(note.author_id), ago(note.created_at)].filter(Boolean).join(' · ')}
        </Text>
        {may && (
          <Menu>
            <Menu.Target>
              <ActionIcon size="sm" aria-label="Note actions">
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDraft(note.content)}>Edit</Menu.Item>
              <Menu.Item onClick={() => save({ is_pinned: !note.is_pinned })}>
                {note.is_pinned ? 'Unpin' : 'Pin'}
              </Menu.Item>
              <Menu.Item onClick={drop}>Delete</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {draft === undefined ? (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <Linked text={note.content} />
        </Text>
      ) : (
        <>
          <Textarea
            autosize
            autoFocus
            aria-label="Note"
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <Group mt={6} gap="xs">
            <Button onClick={() => save({ content: draft }).then(() => setDraft(undefined))}>Save</Button>
            <Button variant="default" onClick={() => setDraft(undefined)}>
              Cancel
            </Button>
          </Group>
        </>
      )}
    </article>
  )
}
