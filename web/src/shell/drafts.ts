import { useState } from 'react'
import { useSession } from '../session'

/** In memory only: nothing that users write is stored in the browser. */
const stores: { size: number; clear: () => void }[] = []
/** What the server does not have yet, and is lost with the page. */
const unsaved: { size: number }[] = []

/**
 * Makes a hook for values that were not sent yet. They outlive their screen, and end with the page or the sign-out. Changes
 * apply to the newest value, also those that arrive late, such as an upload; null empties it. `waiting` holds the names
 * of values that are stored on the server soon; without it all are lost with the page.
 */
export function draftsOf<T extends object>(blank: T, waiting?: Set<string>) {
  const kept = new Map<string, T>()
  stores.push(kept)
  if (waiting) stores.push(waiting)
  unsaved.push(waiting ?? kept)
  const isBlank = (value: T) => JSON.stringify(value) === JSON.stringify(blank)
  return function useDraftOf(name: string): [T, (changes: Partial<T> | null) => void] {
    // Another user may sign in after a session has ended.
    const key = `${useSession().user.user_id} ${name}`
    const [value, setValue] = useState(() => kept.get(key) ?? blank)
    return [
      value,
      (changes) => {
        const next = changes ? { ...(kept.get(key) ?? blank), ...changes } : blank
        if (isBlank(next)) kept.delete(key)
        else kept.set(key, next)
        setValue(next)
      },
    ]
  }
}

const useTextDraft = draftsOf({ text: '' })

/** Text that was not sent yet. */
export function useDraft(name: string): [string, (text: string) => void] {
  const [{ text }, change] = useTextDraft(name)
  return [text, (next) => change({ text: next })]
}

export const hasDrafts = () => unsaved.some((one) => one.size > 0)

export const forgetDrafts = () => {
  for (const one of stores) one.clear()
}
