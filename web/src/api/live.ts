import { useEffect } from 'react'
import { isRecord, isText } from '../values'
import { address } from './client'
import { pause, setDown } from './connection'
import { exists, queryClient, refreshDuplicates } from './query'

/** The lists and records that show a kind of record, by the last word of their paths. */
const SHOWN: Record<string, string[]> = {
  contact: ['contacts', 'entries'],
  company: ['companies'],
  deal: ['deals', 'deal-pipelines'],
  project: ['projects'],
  entry: ['entries', 'pipeline-entries', 'projects'],
  note: ['notes'],
  task: ['tasks'],
  tag: ['tags', 'contacts', 'companies'],
  sequence: ['sequences'],
  enrollment: ['enrollments', 'stats', 'sequences', 'explain'],
  conversation: ['conversations'],
  message: ['messages', 'conversations'],
  import: ['imports'],
  enrichment: ['enrichment', 'me'],
  enrichment_request: ['enrichment', 'me'],
}

const ID = /^[0-9a-f]{8}-/

type Waiting = { kinds: Set<string>; ids: Set<string>; erased: boolean }

function concerns(path: string, waiting: Waiting): boolean {
  const parts = path.split('/').slice(1)
  const ids = parts.filter((part) => ID.test(part))
  const last = parts.findLast((part) => !ID.test(part)) ?? ''
  if (last === 'timeline') return true
  for (const kind of waiting.kinds) {
    if (!(SHOWN[kind] ?? [`${kind}s`]).includes(last)) continue
    const single = parts.length > 0 && ID.test(parts[parts.length - 1])
    if (!single || waiting.ids.has(ids[ids.length - 1]) || !last.startsWith(kind)) return true
  }
  return false
}

/** Follows the workspace's events and refetches affected queries, at most a few times a second. */
export function useLive(enabled: boolean) {
  useEffect(() => {
    if (!enabled) return
    let waiting: Waiting = { kinds: new Set(), ids: new Set(), erased: false }
    let timer: ReturnType<typeof setTimeout> | undefined
    let seen = 0
    const flush = () => {
      const now = waiting
      waiting = { kinds: new Set(), ids: new Set(), erased: false }
      timer = undefined
      // An import causes thousands of events: the more there are, the more of them share a refetch.
      const many = seen > 200
      seen = 0
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => typeof path === 'string' && exists(path) && concerns(path, now),
      })
      if (now.erased) refreshDuplicates()
      if (many) timer = setTimeout(flush, 3000)
    }
    const take = (data: string) => {
      const event: unknown = JSON.parse(data)
      const record = isRecord(event) ? event.record : undefined
      if (!isRecord(record) || !isText(record.type) || !isText(record.id)) return
      waiting.kinds.add(record.type)
      waiting.ids.add(record.id)
      if (isRecord(event) && isText(event.type) && event.type.endsWith('.erased')) waiting.erased = true
      seen += 1
      timer ??= setTimeout(flush, 250)
    }
    return follow(take, () => clearTimeout(timer))
  }, [enabled])
}

/** The server sends something at least every 15 seconds; a stream that is silent for longer than this is broken. */
const SILENCE = 40_000

class Refused extends Error {
  constructor(readonly status: number) {
    super(`stream: ${status}`)
  }
}

/** Reads the stream with fetch, since an EventSource only receives event types that were registered. */
function follow(take: (data: string) => void, stop: () => void): () => void {
  let last = ''
  let stopped = false
  let control = new AbortController()
  let connected = false
  let wake = () => {}
  const read = async (onOpen: () => void) => {
    control = new AbortController()
    const { signal } = control
    const watch = () => setTimeout(() => control.abort(), SILENCE)
    let watchdog = watch()
    try {
      const headers: Record<string, string> = last ? { 'last-event-id': last } : {}
      const response = await fetch(address('/events/stream'), { headers, signal })
      if (!response.ok || !response.body) throw new Refused(response.status)
      onOpen()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        clearTimeout(watchdog)
        watchdog = watch()
        const blocks = (rest + value).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const id = /^id: ?(.*)$/m.exec(block)?.[1]
          const data = /^data: ?(.*)$/m.exec(block)?.[1]
          if (id) last = id
          if (data) take(data)
        }
      }
    } finally {
      clearTimeout(watchdog)
    }
  }
  const again = async () => {
    let failures = 0
    for (let first = true; !stopped; first = false) {
      try {
        await read(() => {
          connected = true
          failures = 0
          setDown(!navigator.onLine)
          if (!first) queryClient.invalidateQueries()
        })
      } catch (error) {
        last = ''
        failures += 1
        // A single failure is a stream that ended; the next attempt shows whether the server is there.
        const reached = error instanceof Refused && ![502, 504].includes(error.status)
        if (!stopped && failures > 1) setDown(!reached)
      }
      connected = false
      if (stopped) return
      await Promise.race([
        pause(failures < 2 ? 200 : Math.min(failures * 500, 4000)),
        new Promise<void>((resolve) => {
          wake = resolve
        }),
      ])
    }
  }
  const offline = () => setDown(true)
  const online = () => {
    if (connected) setDown(false)
    wake()
  }
  window.addEventListener('offline', offline)
  window.addEventListener('online', online)
  again()
  return () => {
    stopped = true
    window.removeEventListener('offline', offline)
    window.removeEventListener('online', online)
    control.abort()
    setDown(false)
    stop()
  }
}
