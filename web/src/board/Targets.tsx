import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useRef, useState } from 'react'
import { type Progress, Ring } from '../fields/Ring'
import classes from './board.module.css'

/** A place above the columns where a card can be dropped. */
export type Target = { id: string; title: string; progress: Progress; color: string }

type Props = { targets: Target[]; onDropped: (target: Target) => void }

/** The places above the columns; they are there while a card is dragged. */
export function Targets({ targets, onDropped }: Props) {
  return (
    <div className={classes.targets}>
      {targets.map((target) => (
        <Place key={target.id} target={target} onDropped={() => onDropped(target)} />
      ))}
    </div>
  )
}

function Place({ target, onDropped }: { target: Target; onDropped: () => void }) {
  const element = useRef<HTMLElement>(null)
  const [over, setOver] = useState(false)
  const dropped = useRef(onDropped)
  dropped.current = onDropped
  useEffect(() => {
    if (!element.current) return
    return dropTargetForElements({
      element: element.current,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => dropped.current(),
    })
  }, [])
  return (
    <section ref={element} className={classes.target} data-over={over || undefined} aria-label={target.title}>
      <Ring progress={target.progress} color={target.color} />
      <span className="strong">{target.title}</span>
    </section>
  )
}
