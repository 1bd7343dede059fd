import { post, SIGNED_OUT } from '../api/client'
import { forgetDrafts } from './drafts'
import { fail } from './tell'

export const signOut = () =>
  post('/dashboard/sign-out').then(() => {
    forgetDrafts()
    window.dispatchEvent(new Event(SIGNED_OUT))
  }, fail)

export const COLOR_SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const
