import { post, SIGNED_OUT } from '../api/client'
import { forgetDrafts } from './drafts'
import { notifyError } from './notices'

export const signOut = () =>
  post('/dashboard/sign-out').then(() => {
    forgetDrafts()
    window.dispatchEvent(new Event(SIGNED_OUT))
  }, notifyError)

export const COLOR_SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const
