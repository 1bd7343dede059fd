import { useLayoutEffect, useSyncExternalStore } from 'react'
import { useSession } from '../session'

export type Density = 'comfortable' | 'compact'

export const DENSITIES: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
]

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Where the choice of a user is kept: two users of one browser don’t share it. */
const keyOf = (user: string) => `relata-density-${user}`

/** How close the rows of lists and tables are; each user chooses. The style sheet has the heights. */
export function useDensity(): [Density, (next: Density) => void] {
  const { user_id } = useSession().user
  const density: Density = useSyncExternalStore(subscribe, () =>
    localStorage.getItem(keyOf(user_id)) === 'compact' ? 'compact' : 'comfortable',
  )
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
  const choose = (next: Density) => {
    localStorage.setItem(keyOf(user_id), next)
    for (const listener of listeners) listener()
  }
  return [density, choose]
}
