import type { ConnectedAccount } from '../api/types'
import { isHtml } from './draft'
import { plainText } from './formatted'

/** The signature of an account in the format of a message. */
export const signatureFor = (account: ConnectedAccount | undefined, text: string): string => {
  const signature = account?.signature ?? ''
  return isHtml(text) ? signature : plainText(signature)
}
