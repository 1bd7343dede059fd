import { ActionIcon, Button, Menu, Tabs } from '@mantine/core'
import { IconBookmark, IconDots, IconLock, IconPlus, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh } from '../api/query'
import type { View } from '../api/types'
import { useManages, useSession } from '../session'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import { useSelectedTab } from '../shell/useSelectedTab'
import { searchOf, useViews } from '../shell/views'
import type { TableState } from './state'
import { ViewName } from './ViewName'
import classes from './views.module.css'

type Props = { state: TableState; collection: View['collection'] }

const ALL = 'all'

/** Named filters, sort and columns as tabs, private or shared. Unsaved changes of the current one are marked. */
export function Views({ state, collection }: Props) {
  const views = useViews().filter((one) => one.collection === collection)
  const session = useSession()
  const manages = useManages()
  const [naming, setNaming] = useState<'new' | 'rename'>()
  const { view: id, new: _, entry: __, open: ___, kinds: ____, ...kept } = state.all
  const current = views.find((one) => one.id === id)
  const list = useSelectedTab(current?.id ?? ALL)
  const mayChange = current && (current.owner_id === session.user.user_id || manages)
  const isChanged = current ? textOf(current.state) !== textOf(kept) : hasFilters(kept)
  const show = (view: View | undefined) =>
    state.replace(view ? searchOf(view) : state.all.layout ? { layout: state.all.layout } : {})
  const update = () =>
    current &&
    put(`/dashboard/views/${current.id}`, { state: kept }).then(() => {
      refresh('views')
      notify(`View “${current.name}” saved`)
    }, notifyError)
  const drop = (view: View) =>
    remove(`/dashboard/views/${view.id}`).then(() => {
      refresh('views')
      state.set({ view: undefined })
      notifyWithUndo(`View “${view.name}” deleted`, () =>
        post('/dashboard/views', { name: view.name, collection, shared: view.shared, state: view.state }).then(
          (answer) => {
            refresh('views')
            state.set({ view: answer.data.id })
          },
        ),
      )
    }, notifyError)
  return (
    <div className={classes.bar}>
      <Tabs
        value={current?.id ?? ALL}
        onChange={(next) => show(views.find((one) => one.id === next))}
        className={classes.tabs}
      >
        <Tabs.List aria-label="Views" ref={list}>
          <Tabs.Tab value={ALL} leftSection={<IconTable size={16} />}>
            All {collection}
          </Tabs.Tab>
          {views.map((view) => {
            const Glyph = view.shared ? IconBookmark : IconLock
            return (
              <Tabs.Tab
                key={view.id}
                value={view.id}
                leftSection={<Glyph size={16} aria-label={view.shared ? 'Shared view' : 'Private view'} />}
                rightSection={
                  view === current && isChanged ? (
                    <span className={classes.changed} role="img" aria-label="Unsaved changes" />
                  ) : null
                }
              >
                {view.name}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
      </Tabs>
      {current && mayChange && (
        <Menu position="bottom-start">
          <Menu.Target>
            <ActionIcon aria-label={`Edit view “${current.name}”`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setNaming('rename')}>Rename or share…</Menu.Item>
            {isChanged && <Menu.Item onClick={() => show(current)}>Discard changes</Menu.Item>}
            <Menu.Item onClick={() => drop(current)}>Delete view</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isChanged && (
        <>
          {mayChange && (
            <Button variant="subtle" color="gray" onClick={update}>
              Save
            </Button>
          )}
          <Button variant="subtle" color="gray" leftSection={<IconPlus size={14} />} onClick={() => setNaming('new')}>
            {current ? 'Save as' : 'Save as view'}
          </Button>
        </>
      )}
      {naming === 'new' && (
        <ViewName
          title="Save this view"
          onClose={() => setNaming(undefined)}
          save={(named) => post('/dashboard/views', { ...named, collection, state: kept })}
          onSaved={(view) => {
            setNaming(undefined)
            refresh('views')
            state.set({ view: view.id })
            notify(`View “${view.name}” saved`)
          }}
        />
      )}
      {naming === 'rename' && current && (
        <ViewName
          title="Rename view"
          view={current}
          onClose={() => setNaming(undefined)}
          save={(named) => put(`/dashboard/views/${current.id}`, named)}
          onSaved={() => {
            setNaming(undefined)
            refresh('views')
          }}
        />
      )}
    </div>
  )
}

/** Whether the list differs from the one without parameters. */
const hasFilters = ({ layout, ...kept }: TableState['all']) => Object.keys(kept).length > 0

/** A state as text, to compare two. */
const textOf = (state: object) => JSON.stringify(Object.entries(state).sort(([a], [b]) => a.localeCompare(b)))
