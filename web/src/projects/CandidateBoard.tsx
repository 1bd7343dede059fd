import { Text } from '@mantine/core'
import type { List } from '../api/lists'
import type { ProjectDetail, ProjectEntry } from '../api/types'
import { Board } from '../board/Board'
import classes from '../board/board.module.css'
import { Idle } from '../board/Idle'
import { progressOf } from '../fields/Ring'
import { Stars } from '../fields/Stars'
import { personName, useCan } from '../session'
import { Avatar, Named } from '../shell/Avatar'
import { iconOf } from '../shell/icons'
import type { TableState } from '../table/state'
import { type CandidateActions, columnParams } from './entries'

const Notes = iconOf('notes')

type Props = {
  project: ProjectDetail
  state: TableState
  list: List<ProjectEntry>
  openId?: string
  actions: CandidateActions
}

/** Candidates by stage. On a card: shift and arrows move, 1–5 rate, R rejects, Enter opens the panel, which follows the focus. */
export function CandidateBoard({ project, state, list, openId, actions }: Props) {
  const may = useCan('pipeline:write')
  const filtered = Object.keys(state.filters).length > 0
  return (
    <Board<ProjectEntry>
      name={`Candidates of ${project.name}`}
      list={list}
      locked={!may}
      stay
      openId={openId}
      columns={project.pipeline.stages.map((stage) => ({
        id: stage.id,
        title: stage.name,
        color: stage.color,
        progress: progressOf(project.pipeline.stages, stage.id),
        params: columnParams(state, stage.id),
        note: filtered ? null : (
          <Text size="xs" c="dimmed" className="num">
            {stage.entries_count}
          </Text>
        ),
      }))}
      label={(entry) => personName(entry.contact)}
      onOpen={(entry) => actions.show(entry.id)}
      onFocus={(entry) => openId && entry.id !== openId && actions.show(entry.id)}
      onMove={actions.move}
      onKey={(event, entry, focusNext) => {
        if (!may || event.ctrlKey || event.metaKey || event.altKey) return false
        if (/^[1-5]$/.test(event.key)) {
          actions.rate(entry, entry.rating === Number(event.key) ? null : Number(event.key))
          return true
        }
        if (event.key === 'r') {
          actions.reject(entry, focusNext)
          return true
        }
        if (event.key === 'Escape' && openId) {
          actions.show(undefined)
          return true
        }
        return false
      }}
      card={(entry) => (
        <>
          <div className={classes.person}>
            <Avatar name={personName(entry.contact)} size={28} />
            <div className="grow">
              <div className="cut strong">{personName(entry.contact)}</div>
              <div className="cut dim">{entry.contact.title}</div>
            </div>
          </div>
          {entry.contact.current_company && (
            <div className={classes.line}>
              <Named name={entry.contact.current_company} company size={18} />
            </div>
          )}
          <div className={classes.line}>
            <Stars rating={entry.rating} />
            <span className="grow" />
            {entry.notes && (
              <span className="dim" role="img" aria-label="Has notes" title={entry.notes}>
                <Notes size={14} aria-hidden />
              </span>
            )}
            <Idle since={entry.updated_at} />
          </div>
        </>
      )}
    />
  )
}
