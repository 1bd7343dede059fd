import { Button, Checkbox, Group, Menu, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { type Params, post, put, remove } from '../api/client'
import { refresh, useAction, useList } from '../api/query'
import type { View } from '../api/types'
import { Modal } from '../shell/Modal'
import { done, fail, undoable, Words } from '../shell/tell'
import { isText, textsOf } from '../values'
import type { TableState } from './state'

/** Named filters, sort and columns, private or shared. */
export function Views({ state, collection }: { state: TableState; collection: View['collection'] }) {
  const views = useList('/dashboard/views', { collection }).data?.data ?? []
  const [opened, dialog] = useDisclosure(false)
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { view: id, new: _, ...kept } = state.all
  const current = views.find((one) => one.id === id)
  const changed = current && JSON.stringify(sorted(current.state)) !== JSON.stringify(sorted(kept))
  const create = useAction(
    () => post('/dashboard/views', { name, collection, shared, state: kept }),
    (answer) => {
      dialog.close()
      setName('')
      refresh('views')
      state.set({ view: answer.data.id })
      done(`View “${answer.data.name}” saved`)
    },
  )
  const update = () =>
    put(`/dashboard/views/${current?.id ?? ''}`, { state: kept }).then(() => {
      refresh('views')
      done('View updated')
    }, fail)
  const drop = (view: View) =>
    remove(`/dashboard/views/${view.id}`).then(() => {
      refresh('views')
      if (view.id === id) state.set({ view: undefined })
      undoable(`View “${view.name}” deleted`, () =>
        post('/dashboard/views', { name: view.name, collection, shared: view.shared, state: view.state }).then(() =>
          refresh('views'),
        ),
      )
    }, fail)
  const group = (title: string, list: View[]) =>
    list.length > 0 && (
      <>
        <Menu.Label>{title}</Menu.Label>
        {list.map((view) => (
          <Menu.Item key={view.id} onClick={() => state.replace({ ...searchOf(view.state), view: view.id })}>
            {view.name}
          </Menu.Item>
        ))}
      </>
    )
  return (
    <>
      <Menu width={240} position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={14} />}>
            <span className="cut">{current ? `${current.name}${changed ? ' •' : ''}` : 'Views'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => state.replace({})}>Everything</Menu.Item>
          {group(
            'Shared',
            views.filter((one) => one.shared),
          )}
          {group(
            'Mine',
            views.filter((one) => !one.shared),
          )}
          <Menu.Divider />
          <Menu.Item onClick={dialog.open}>Save as a new view…</Menu.Item>
          {changed && <Menu.Item onClick={update}>Update “{current.name}”</Menu.Item>}
          {current && <Menu.Item onClick={() => drop(current)}>Delete “{current.name}”</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={dialog.close} title="Save this view">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate(undefined)
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Name"
              required
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Checkbox
              label="Everybody in the workspace sees it"
              checked={shared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
            {create.error && <Words error={create.error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending}>
                Save view
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

/** The stored state of a view as parameters of the address. */
function searchOf(state: View['state']): Params {
  const search: Params = {}
  for (const [name, value] of Object.entries(state)) {
    if (isText(value)) search[name] = value
    else if (Array.isArray(value)) search[name] = textsOf(value)
  }
  return search
}

const sorted = (state: object) => Object.fromEntries(Object.entries(state).sort(([a], [b]) => a.localeCompare(b)))
