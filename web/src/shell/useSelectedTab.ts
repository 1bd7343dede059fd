import { useEffect, useRef } from 'react'

/** Keeps the selected tab in sight in a line of tabs that scrolls. */
export function useSelectedTab(value: string) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every tab
  useEffect(() => {
    const selected = list.current?.querySelector('[role=tab][aria-selected=true]')
    selected?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [value])
  return list
}
