import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Button } from '@mantine/core'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Params } from '../api/client'
import type { List } from '../api/lists'
import { refresh, usePagesOf } from '../api/query'
import { type Progress, Ring } from '../fields/Ring'
import { ErrorMessage } from '../shell/problems'
import classes from './board.module.css'
import { QuickCard, useQuickCard } from './QuickCard'
import { type Target, Targets } from './Targets'

export type BoardColumn = {
  id: string
  title: string
  color?: string | null
  /** Its place in the order of the columns. */
  progress?: Progress
  note?: ReactNode
  sums?: ReactNode
  params: Params
  /** The number of cards, if it is known. */
  count?: number
  /** Adds a card to the column. */
  quick?: { what: string; field: string; draft: string; add: (text: string) => Promise<unknown> }
}

type Props<T extends { id: string }> = {
  name: string
  list: List<T>
  columns: BoardColumn[]
  card: (record: T) => ReactNode
  label: (record: T) => string
  locked?: boolean
  /** The id of the card that is open beside the board. */
  openId?: string
  onOpen: (record: T) => void
  /** A card got the focus. */
  onFocus?: (record: T) => void
  onMove: (record: T, to: string) => Promise<unknown>
  /** Handles further keys on a card; returns true if it used the key. */
  onKey?: (event: KeyboardEvent, record: T, focusNext: () => void) => boolean
  /** Whether the focus stays in the column for the next card, or follows the moved card. */
  stay?: boolean
  /** The column of a card, if all columns have the same query. Their cards are then read with one request. */
  columnOf?: (record: T) => string
  /** The order of the cards in a column, if it is not that of the list. */
  order?: (records: T[]) => T[]
  /** Places above the columns where a card can be dropped. */
  targets?: Target[]
  onTarget?: (record: T, target: string) => void
}

/** Cards whose move is not confirmed yet: they are shown in their new column, whatever was fetched meanwhile. */
type Going<T> = Record<string, { record: T; to: string }>

/** The card that is being dragged, and its column. */
type Dragged<T> = { record: T; column: string }

export function Board<T extends { id: string }>(props: Props<T>) {
  const box = useRef<HTMLDivElement>(null)
  const { columns, list, onMove } = props
  const focusCard = (element: Element | null | undefined) => {
    if (element instanceof HTMLElement) element.focus()
  }
  const dragged = useRef<Dragged<T>>(null)
  // A card that moves is drawn anew in its column: the focus goes with it, unless the user has left the board.
  const focused = useRef<string>(null)
  const follow = useCallback(() => {
    if (!focused.current || document.activeElement !== document.body) return
    box.current?.querySelector<HTMLElement>(`[data-card="${focused.current}"]`)?.focus()
  }, [])
  useEffect(() => {
    const leave = (event: Event) => {
      const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-card]') : null
      focused.current = (card && box.current?.contains(card) && card.dataset.card) || null
    }
    document.addEventListener('focusin', leave)
    document.addEventListener('pointerdown', leave)
    return () => {
      document.removeEventListener('focusin', leave)
      document.removeEventListener('pointerdown', leave)
    }
  }, [])
  const [going, setGoing] = useState<Going<T>>({})
  const [isDragging, setDragging] = useState(false)
  // Not from the card, which another user may take away meanwhile.
  useEffect(() => monitorForElements({ onDragStart: () => setDragging(true), onDrop: () => setDragging(false) }), [])
  const move = async (record: T, from: string, to: string) => {
    if (from === to) return
    const arriving = { record, to }
    setGoing((others) => ({ ...others, [record.id]: arriving }))
    // The caller reports the error; the card only moves back.
    await onMove(record, to).then(
      () => refresh(list.path.slice(list.path.lastIndexOf('/') + 1)),
      () => {},
    )
    setGoing(({ [record.id]: last, ...others }) =>
      last && last !== arriving ? { ...others, [record.id]: last } : others,
    )
  }
  const keys = (event: KeyboardEvent, record: T, column: string) => {
    const here = event.target
    if (!(here instanceof Element) || !here.matches('[data-card]') || !here.parentElement) return
    const cards = here.parentElement
    const place = [...cards.children].indexOf(here)
    const beside = (by: number) => {
      const lists = [...(box.current?.querySelectorAll('[data-list]') ?? [])]
      for (let at = lists.indexOf(cards) + by; at >= 0 && at < lists.length; at += by) {
        const others = lists[at].querySelectorAll('[data-card]')
        if (others.length > 0) return others[Math.min(place, others.length - 1)]
      }
      return null
    }
    const next = () => {
      const other = here.nextElementSibling ?? here.previousElementSibling
      if (other) focusCard(other)
      // The last card of a column is followed to its new one.
      else focused.current = record.id
    }
    const shift = (by: number) => {
      const to = columns[columns.findIndex((one) => one.id === column) + by]
      if (!to || props.locked) return
      if (props.stay) next()
      move(record, column, to.id)
    }
    if (props.onKey?.(event, record, next)) {
      event.preventDefault()
      return
    }
    const actions: Record<string, () => void> = {
      ArrowDown: () => focusCard(here.nextElementSibling),
      ArrowUp: () => focusCard(here.previousElementSibling),
      ArrowRight: () => (event.shiftKey ? shift(1) : focusCard(beside(1))),
      ArrowLeft: () => (event.shiftKey ? shift(-1) : focusCard(beside(-1))),
      Enter: () => props.onOpen(record),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.board}
        data-narrow={props.openId ? true : undefined}
        role="group"
        aria-label={props.name}
      >
        {columns.map((column) => (
          <Column
            key={column.id}
            column={column}
            board={props}
            dragged={dragged}
            going={going}
            onKeys={keys}
            onDropped={move}
            onDrawn={follow}
          />
        ))}
      </div>
      {isDragging && props.targets && (
        <Targets
          targets={props.targets}
          onDropped={(target) => dragged.current && props.onTarget?.(dragged.current.record, target.id)}
        />
      )}
    </div>
  )
}

type ColumnProps<T extends { id: string }> = {
  column: BoardColumn
  board: Props<T>
  dragged: RefObject<Dragged<T> | null>
  going: Going<T>
  onKeys: (event: KeyboardEvent, record: T, column: string) => void
  onDropped: (record: T, from: string, to: string) => void
  onDrawn: () => void
}

function Column<T extends { id: string }>({
  column,
  board,
  dragged,
  going,
  onKeys,
  onDropped,
  onDrawn,
}: ColumnProps<T>) {
  const element = useRef<HTMLElement>(null)
  const [over, setOver] = useState(false)
  const cards = usePagesOf(board.list, column.params)
  const arriving = Object.values(going).filter(({ to }) => to === column.id)
  const { columnOf } = board
  const found = cards.data?.pages.flatMap((page) => page.data) ?? []
  const own = columnOf ? found.filter((one) => columnOf(one) === column.id) : found
  const read = board.order ? board.order(own) : own
  // An error of the one request of all columns is shown once.
  const isFirst = !columnOf || board.columns[0].id === column.id
  const isWhole = !cards.hasNextPage || (column.count !== undefined && read.length >= column.count)
  const all = [...arriving.map(({ record }) => record), ...read.filter((one) => !going[one.id])]
  const quick = useQuickCard(column.quick ?? { what: '', draft: '' })
  useLayoutEffect(onDrawn)
  const dropped = useRef(onDropped)
  dropped.current = onDropped
  useEffect(() => {
    if (!element.current) return
    return dropTargetForElements({
      element: element.current,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => {
        setOver(false)
        if (dragged.current) dropped.current(dragged.current.record, dragged.current.column, column.id)
      },
    })
  }, [column.id, dragged])
  return (
    <section ref={element} className={classes.column} data-over={over || undefined} aria-label={column.title}>
      <header className={classes.head}>
        {column.progress !== undefined && <Ring progress={column.progress} color={column.color ?? 'var(--r-ink-3)'} />}
        <h2 className={classes.title}>{column.title}</h2>
        {column.note}
        {column.quick && !board.locked && <span className={classes.add}>{quick.button}</span>}
      </header>
      {column.sums}
      {column.quick && quick.opened && <QuickCard {...column.quick} onClose={quick.close} />}
      {cards.error && isFirst && <ErrorMessage error={cards.error} />}
      <div className={classes.cards} data-list={column.id} role="list" aria-label={column.title}>
        {all.map((record) => (
          <Card
            key={record.id}
            record={record}
            column={column.id}
            board={board}
            dragged={dragged}
            onKeyDown={(event) => onKeys(event, record, column.id)}
          />
        ))}
      </div>
      {!isWhole && (
        <Button variant="subtle" color="gray" onClick={() => cards.fetchNextPage()} loading={cards.isFetchingNextPage}>
          Show more
        </Button>
      )}
    </section>
  )
}

type CardProps<T extends { id: string }> = {
  record: T
  column: string
  board: Props<T>
  dragged: RefObject<Dragged<T> | null>
  onKeyDown: (event: KeyboardEvent) => void
}

function Card<T extends { id: string }>({ record, column, board, dragged, onKeyDown }: CardProps<T>) {
  const element = useRef<HTMLDivElement>(null)
  const [moving, setMoving] = useState(false)
  const { locked } = board
  useEffect(() => {
    if (!element.current || locked) return
    return draggable({
      element: element.current,
      onDragStart: () => {
        dragged.current = { record, column }
        setMoving(true)
      },
      onDrop: () => setMoving(false),
    })
  }, [record, column, locked, dragged])
  return (
    <div
      ref={element}
      role="listitem"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a card is moved and opened with the keyboard
      tabIndex={0}
      aria-label={board.label(record)}
      className={classes.card}
      data-card={record.id}
      data-dragged={moving || undefined}
      data-open={board.openId === record.id || undefined}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.target === event.currentTarget && board.onFocus?.(record)}
      onClick={() => board.onOpen(record)}
    >
      {board.card(record)}
    </div>
  )
}
