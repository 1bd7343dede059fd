import { pause } from '../api/connection'
import { ask } from './ask'
import { hasDrafts } from './drafts'

/** A page that was reloaded for missing files, and lacks them still, is not reloaded again within this time. */
const RELOADS_APART = 30_000

const isServed = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  )

const isJustReloaded = () => {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type === 'reload' && performance.now() < RELOADS_APART
}

const RELOAD = {
  title: 'Relata was updated',
  text: 'The page must be reloaded to open this screen. Text that you have not sent is lost.',
  action: 'Reload',
}

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
      if (isJustReloaded() || (hasDrafts() && !(await ask(RELOAD)))) throw error
      window.location.reload()
      await pause(RELOADS_APART)
    }
  }
}
