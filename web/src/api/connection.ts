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

/** A page is not reloaded twice within this time for files that are missing. */
const RELOADS_APART = 30_000
const RELOADED = 'relata:reloaded'

const isServed = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  )

/**
 * Loads the code of a screen. While the server can't be reached, it waits and tries again. A page that was open during an
 * upgrade requests files that no longer exist: it is reloaded.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (let missing = 0; ; ) {
    try {
      return await load()
    } catch (error) {
      // The server may have come back between the two requests.
      if (await isServed()) missing += 1
      else await pause(1000)
      if (missing < 2) continue
      const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
      if (Date.now() - last < RELOADS_APART) throw error
      sessionStorage.setItem(RELOADED, String(Date.now()))
      window.location.reload()
      await pause(RELOADS_APART)
    }
  }
}
