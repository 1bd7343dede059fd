import { Alert, Checkbox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ChangeableList } from '../api/lists'
import { save } from '../api/query'
import { errorText } from '../fields/errorText'
import { bodyOf, type Field, memberOf, type Row } from '../fields/spec'
import { type Density, useDensity } from '../shell/density'
import { useIsPhone } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'
import { BodyCell, type Marked } from './BodyCell'
import { placed } from './Columns'
import { GroupRow } from './GroupRow'
import { folded, useGrouping } from './groups'
import { HeaderCell } from './HeaderCell'
import { SecondLine } from './SecondLine'
import type { TableState } from './state'
import classes from './table.module.css'
import { useRows } from './useRows'
import type { Selection } from './useSelection'
import { useWindow } from './useWindow'

/** The height of a row, higher for fingers; the style sheets have the same. */
const ROWS: Record<Density, number> = { comfortable: 36, compact: 30 }
const PHONE_ROW = 60
const HEADER = 32

type Props<T extends Row> = {
  name: string
  list: ChangeableList<T>
  state: TableState
  fields: Field[]
  /** The first field, which names the record and links to it. */
  lead: string
  onOpen: (row: T) => void
  selection?: Selection<T>
  empty: ReactNode
  companyName?: (row: T) => string
  /** The kind of mark before the name of each record. */
  mark?: Marked
  locked?: boolean
  onTotal?: (total: number, counted: boolean) => void
}

/** A table of any length: only the visible rows are fetched and rendered. */
export function RecordTable<T extends Row>(props: Props<T>) {
  const { state, fields, list, selection } = props
  const selected = selection?.rows
  const [known, setKnown] = useState(0)
  const isPhone = useIsPhone()
  const [density] = useDensity()
  const win = useWindow(known, isPhone ? PHONE_ROW : ROWS[density], isPhone ? 0 : HEADER)
  const grouping = useGrouping(state, fields)
  const { closed, toggle: fold } = folded(state)
  const { lines, length, total, counted, error, pending } = useRows<T>(
    list,
    state.params,
    grouping,
    closed,
    win.first,
    Math.max(win.last - 1, 0),
  )
  const rowAt = (index: number) => {
    const line = lines.get(index)
    return line && 'row' in line ? line.row : undefined
  }
  const [focus, setFocus] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<{ row: string; key: string; text: string }>()
  const anchor = useRef<number>(null)
  const { onTotal } = props
  useEffect(() => {
    setKnown(length)
    onTotal?.(total, counted)
  }, [length, total, counted, onTotal])

  const chosen = [props.lead, ...state.columns.filter((key) => key !== props.lead)]
    .map((key) => fields.find((field) => field.key === key))
    .filter((field): field is Field => Boolean(field))
  // A row on a phone is one cell with two lines; the record is edited on its page.
  const columns = isPhone ? chosen.slice(0, 1) : chosen
  const widthOf = (field: Field) => state.widths[field.key] ?? field.width ?? 160
  const wide = isPhone ? '100%' : columns.reduce((sum, field) => sum + widthOf(field), selection ? 40 : 0)

  const focusCell = (row: number, column: number) => {
    const next = {
      row: Math.min(Math.max(row, 0), length - 1),
      column: Math.min(Math.max(column, 0), columns.length - 1),
    }
    setFocus(next)
    win.scrollTo(next.row)
    const at = (column: number) => win.box.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${column}"]`)
    // The head of a section is one cell as wide as the table.
    const cell = () => at(next.column) ?? at(0)
    // A rendered cell gets the focus before the next key press; a distant one must be rendered first.
    if (cell()) cell()?.focus()
    else requestAnimationFrame(() => cell()?.focus())
  }
  const toggle = (index: number, range: boolean) => {
    if (!selection) return
    const next = new Map(selection.rows)
    const row = rowAt(index)
    if (!row) return
    const on = !next.has(row.id)
    const begin = range && anchor.current !== null ? anchor.current : index
    for (let at = Math.min(begin, index); at <= Math.max(begin, index); at++) {
      const one = rowAt(at)
      if (!one) continue
      if (on) next.set(one.id, one)
      else next.delete(one.id)
    }
    anchor.current = index
    selection.choose(next)
  }
  const shown = () => {
    const found = new Map<string, T>()
    for (let index = win.firstShown; index < win.lastShown; index++) {
      const row = rowAt(index)
      if (row) found.set(row.id, row)
    }
    return found
  }
  const keys = (event: KeyboardEvent) => {
    if (editing || length === 0) return
    const { row, column } = focus
    const page = 12
    const here = lines.get(row)
    const head = here && 'group' in here ? here.group.value : undefined
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusCell(row + 1, column),
      ArrowUp: () => focusCell(row - 1, column),
      ArrowRight: () => focusCell(row, column + 1),
      ArrowLeft: () => focusCell(row, column - 1),
      PageDown: () => focusCell(row + page, column),
      PageUp: () => focusCell(row - page, column),
      Home: () => focusCell(event.ctrlKey ? 0 : row, 0),
      End: () => focusCell(event.ctrlKey ? length - 1 : row, columns.length - 1),
      ' ': () => (head ? fold(head) : toggle(row, event.shiftKey)),
      Enter: () => (head ? fold(head) : open(row, column)),
      F2: () => !columns[column].readonly && setEditing(true),
    }
    const inCell = event.target instanceof Element && event.target.closest('[role=gridcell]')
    const move = moves[event.key]
    if (!inCell || !move) return
    event.preventDefault()
    move()
  }
  const open = (index: number, column: number) => {
    const row = rowAt(index)
    if (!row) return
    if (column === 0) props.onOpen(row)
    else if (!columns[column].readonly && !props.locked) setEditing(true)
  }
  const finish = async (row: T, field: Field, value: unknown) => {
    setEditing(false)
    const before = memberOf(row, field.key)
    requestAnimationFrame(() => focusCell(focus.row, focus.column))
    if (JSON.stringify(value ?? null) === JSON.stringify(before ?? null)) return
    setProblem(undefined)
    try {
      await save(list.path, row.id, bodyOf(field.key, value))
    } catch (refused) {
      setProblem({ row: row.id, key: field.key, text: errorText(refused) })
    }
  }

  if (error) {
    return (
      <Alert color="red" variant="outline" m="md" title="This list could not be loaded">
        <ErrorMessage error={error} />
      </Alert>
    )
  }
  if (total === 0 && !pending && counted) return props.empty
  const drawn = []
  for (let index = win.first; index < win.last; index++) {
    const line = lines.get(index)
    const place = { transform: `translateY(${win.offsetOf(index)}px)`, width: wide, minWidth: '100%' }
    if (line && 'group' in line) {
      drawn.push(
        <GroupRow
          key={index}
          index={index}
          style={place}
          line={line}
          columns={columns.length + (selection ? 1 : 0)}
          focused={focus.row === index}
          onFocus={() => setFocus({ row: index, column: focus.column })}
          onToggle={() => fold(line.group.value)}
        />,
      )
      continue
    }
    const row = rowAt(index)
    drawn.push(
      <div
        key={index}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={row && selected ? selected.has(row.id) : undefined}
        className={classes.row}
        style={place}
        data-selected={(row && selected?.has(row.id)) || undefined}
      >
        {selection && (
          <div role="gridcell" className={classes.check}>
            {row && (
              <Checkbox
                size="xs"
                tabIndex={-1}
                aria-label="Select"
                checked={selected?.has(row.id) ?? false}
                onClick={(event) => toggle(index, event.shiftKey)}
                onChange={() => {}}
              />
            )}
          </div>
        )}
        {columns.map((field, column) => {
          const here = focus.row === index && focus.column === column
          return (
            <BodyCell
              key={field.key}
              row={row}
              field={field}
              place={`${index}-${column}`}
              width={isPhone ? undefined : widthOf(field)}
              lead={column === 0}
              focused={here}
              editing={here && editing}
              problem={problem && row && problem.row === row.id && problem.key === field.key ? problem.text : undefined}
              refused={column === 0 && row ? selection?.refused.get(row.id) : undefined}
              companyName={props.companyName && row ? props.companyName(row) : undefined}
              mark={props.mark}
              second={
                isPhone && row ? (
                  <SecondLine row={row} columns={chosen.slice(1)} companyName={props.companyName?.(row)} />
                ) : undefined
              }
              onFocus={() => setFocus({ row: index, column })}
              onEdit={() => {
                setFocus({ row: index, column })
                if (!field.readonly && !props.locked) setEditing(true)
              }}
              onOpen={() => row && props.onOpen(row)}
              onDone={(value) => row && finish(row, field, value)}
              onCancel={() => {
                setEditing(false)
                requestAnimationFrame(() => focusCell(index, column))
              }}
            />
          )
        })}
      </div>,
    )
  }
  return (
    <div ref={win.box} className={classes.box} data-selects={selection ? true : undefined} onScroll={win.onScroll}>
      <div
        role="grid"
        aria-label={props.name}
        aria-rowcount={length + 1}
        aria-colcount={columns.length + (selection ? 1 : 0)}
        aria-multiselectable={selection ? true : undefined}
        onKeyDown={keys}
        style={{ width: wide, minWidth: '100%' }}
      >
        {!isPhone && (
          <div role="row" className={classes.header} style={{ width: wide, minWidth: '100%' }}>
            {selection && (
              <div role="columnheader" className={classes.check} aria-label="Selection">
                <Checkbox
                  size="xs"
                  aria-label="Select the rows shown"
                  checked={Boolean(selected?.size)}
                  indeterminate={Boolean(selected?.size)}
                  onChange={() => selection.choose(selected?.size ? new Map() : shown())}
                />
              </div>
            )}
            {columns.map((field) => (
              <HeaderCell
                key={field.key}
                field={field}
                state={state}
                width={widthOf(field)}
                lead={field.key === props.lead}
                onPlace={(key) => state.set({ columns: placed(state, props.lead, key, field.key) })}
              />
            ))}
          </div>
        )}
        <div role="rowgroup" style={{ height: win.height, position: 'relative' }}>
          {drawn}
        </div>
      </div>
    </div>
  )
}
