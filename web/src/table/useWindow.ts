import { type UIEvent, useLayoutEffect, useRef, useState } from 'react'

/**
 * Browsers limit the height of an element to about 16 million pixels; beyond that the scroll bar moves in larger steps.
 */
const TALLEST = 12_000_000

/** The visible rows of a long table, and their positions. */
export function useWindow(total: number, height: number, headerHeight: number) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [view, setView] = useState(600)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setView(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const real = total * height
  const shown = Math.min(real, TALLEST)
  const visible = Math.max(0, view - headerHeight)
  const ratio = shown > visible && real > shown ? (real - visible) / (shown - visible) : 1
  const position = Math.min(top * ratio, Math.max(0, real - visible))
  const first = Math.max(0, Math.floor(position / height) - 8)
  const last = Math.min(total, Math.ceil((position + visible) / height) + 8)
  return {
    box,
    height: shown,
    first,
    last,
    /** The first row on the screen, and the row after the last one. */
    firstShown: Math.floor(position / height),
    lastShown: Math.min(total, Math.ceil((position + visible) / height)),
    /** The position of a row inside the scrolled box. */
    offsetOf: (index: number) => (ratio === 1 ? index * height : index * height - position + top),
    onScroll: (event: UIEvent<HTMLDivElement>) => setTop(event.currentTarget.scrollTop),
    scrollTo: (index: number) => {
      const element = box.current
      if (!element) return
      const begin = index * height
      if (begin < position) element.scrollTop = begin / ratio
      else if (begin + height > position + visible) element.scrollTop = (begin + height - visible) / ratio
    },
  }
}
