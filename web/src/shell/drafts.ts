import { useState } from 'react'
import { useSession } from '../session'

const PREFIX = 'relata:draft:'

function stored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function store(key: string, text: string) {
  try {
    if (text) sessionStorage.setItem(key, text)
    else sessionStorage.removeItem(key)
  } catch {
    // The browser has no room for it: the text is kept only as long as the screen is open.
  }
}

/** Text that was not sent yet. It outlives the screen and the page, and ends with the tab or the sign-out. */
export function useDraft(name: string): [string, (text: string) => void] {
  const key = `${PREFIX}${useSession().user.user_id}:${name}`
  const [text, setText] = useState(() => stored(key))
  return [
    text,
    (next) => {
      setText(next)
      store(key, next)
    },
  ]
}

/** Removes all unsent text of this tab. */
export function forgetDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
