import { useState } from 'react'
import { useSession } from '../session'

/** In memory only: nothing that users write is stored in the browser. */
const texts = new Map<string, string>()

/** Text that was not sent yet. It outlives its screen, and ends with the page or the sign-out. */
export function useDraft(name: string): [string, (text: string) => void] {
  // Another user may sign in after a session has ended.
  const key = `${useSession().user.user_id} ${name}`
  const [text, setText] = useState(() => texts.get(key) ?? '')
  return [
    text,
    (next) => {
      setText(next)
      if (next) texts.set(key, next)
      else texts.delete(key)
    },
  ]
}

export const hasDrafts = () => texts.size > 0

export const forgetDrafts = () => texts.clear()
