import type { Message } from '../api/types'

/** A file of a contact or project that a message takes along. */
export type Attached = {
  id: string
  filename: string
  size: number
  /** It was uploaded for this message. */
  isNew?: boolean
}

/** A message that was not sent yet. */
export type MessageDraft = {
  subject: string
  text: string
  cc: string[]
  bcc: string[]
  /** Where answers go; to the account if it is empty. */
  replyTo: string
  attachments: Attached[]
  /** Whether the signature of the account is added. */
  isSigned: boolean
  /** The account that was chosen to send it. */
  accountId: string | null
  /** Of a new message; a reply has that of its conversation. */
  channel: Message['channel']
  /** When it is planned to be sent. A program may have set it; the composer sends at a time that is chosen there. */
  sendAt: string | null
}

export const BLANK: MessageDraft = {
  subject: '',
  text: '',
  cc: [],
  bcc: [],
  replyTo: '',
  attachments: [],
  isSigned: true,
  accountId: null,
  channel: 'email',
  sendAt: null,
}

/** Whether nothing was written. Account and channel alone are not worth a draft. */
export const isBlank = (draft: MessageDraft) =>
  JSON.stringify({ ...draft, accountId: null, channel: 'email' }) === JSON.stringify(BLANK)

/** The server's limits for the attachments of one mail. */
export const MOST_FILES = 20
export const MOST_BYTES = 20_000_000

export const bytesOf = (files: Attached[]) => files.reduce((sum, one) => sum + one.size, 0)

/** The server sends a text that begins like this as HTML. */
export const isHtml = (text: string) => text.trimStart().startsWith('<')
