import { useSyncExternalStore } from 'react'
import { ApiError } from './client'

/** Whether the server can't be reached; the event stream knows. */
let down = false
const listeners = new Set<() => void>()

export function setDown(next: boolean) {
  if (next === down) return
  down = next
  for (const listener of listeners) listener()
}

export const isDown = () => down

export const useIsDown = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isDown)

/** Whether the request did not reach the server: no network, a server that restarts, a proxy without a server. */
export const isUnreachable = (error: unknown) => error instanceof ApiError && [0, 502, 504].includes(error.status)

export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
