import type { Message } from '../api/types'
import { isCancelled } from './Scheduled'

/** Where something can be done about a failure. */
export type Remedy = 'contact' | 'accounts' | 'suppressions'

/** A failure in words that need no knowledge of mail servers. */
export type Failure = {
  /** What happened. */
  title: string
  /** What to do about it. */
  advice: string
  remedy?: Remedy
  /** It may have been sent. */
  isUnknown?: boolean
}

type Known = Failure & { pattern: RegExp }

/** What the server itself says, word for word at the beginning. */
const OWN: Known[] = [
  {
    pattern: /^outcome_unknown:/,
    title: 'Nobody knows whether this message was sent',
    advice: 'Look for it in the Sent folder of the mailbox. Send it again only if it is not there.',
    remedy: 'accounts',
    isUnknown: true,
  },
  {
    pattern: /^it was not sent$/,
    title: 'This message was not sent',
    advice: 'Send it again if it is still needed.',
  },
  {
    pattern: /^the account was removed$/,
    title: 'The account was disconnected before this message was sent',
    advice: 'Connect an account, then send the message again.',
    remedy: 'accounts',
  },
  {
    pattern: /do_not_contact/,
    title: 'This contact must not be contacted',
    advice: 'If that has changed, turn “Do not contact” off at the contact and send the message again.',
    remedy: 'contact',
  },
  {
    pattern: /^the contact is archived$/,
    title: 'The contact is archived',
    advice: 'Restore the contact, then send the message again.',
    remedy: 'contact',
  },
  {
    pattern: /^(cc|bcc): the (address|domain) \S+ is suppressed/,
    title: 'An address in copy is suppressed',
    advice: 'Send the message again without it.',
    remedy: 'suppressions',
  },
  {
    pattern: /^the (address|domain) \S+ is suppressed/,
    title: 'The address is suppressed, so nothing is sent there',
    advice: 'Its owner unsubscribed or complained, a mail came back, or a member added it. Use another address.',
    remedy: 'suppressions',
  },
  {
    pattern: /^the (enrollment is|sequence is|day is)/,
    title: 'The sequence ended for this contact before the message was sent',
    advice: 'Nothing has to be done. Write a message yourself if you still want to.',
  },
]

/** What mail servers say, the more special ones first. Codes are those of RFC 3463. */
const REFUSALS: Known[] = [
  {
    pattern:
      /mailbox (is )?full|over ?quota|quota exceeded|exceeded (the |its |their )?(storage|quota)|insufficient (system )?storage|\b[45]\.2\.2\b/i,
    title: 'The mailbox of the recipient is full',
    advice: 'Try again in a few days, or reach them another way.',
  },
  {
    pattern:
      /(user|recipient|mailbox|account|address)( \S+)? (is )?(disabled|inactive|suspended|deactivated)|\b5\.2\.1\b/i,
    title: 'The mailbox of the recipient was closed',
    advice: 'Ask for a new address and add it to the contact.',
    remedy: 'contact',
  },
  {
    pattern: /message (is )?(too (large|big)|size exceeds)|size limit|\b5\.(2\.3|3\.4)\b/i,
    title: 'The message is too large for the recipient’s mail server',
    advice: 'Send it again with fewer or smaller attachments.',
  },
  {
    pattern:
      /(host|domain)( name)?( \S+)? (not found|unknown|does not exist|can(no|')t be found)|no such domain|unknown (host|domain)|nxdomain|bad destination (host|system)|\b5\.1\.2\b|\b5\.4\.4\b/i,
    title: 'The domain of the address does not exist',
    advice: 'Correct the address on the contact, then send the message again.',
    remedy: 'contact',
  },
  {
    pattern:
      /(no such|unknown|invalid|nonexistent|non-existent|bad) (user|recipient|mailbox|address|account|local.?part)|(user|recipient|mailbox|address|account)( \S+)? (is |was )?(unknown|not found|unavailable|not (here|exist)|rejected|invalid|does(n[o’']?t| not) exist|not listed)|does(n[’']t| not) exist|no mailbox|not our customer|\b5\.1\.(0|1|3|6|10)\b/i,
    title: 'The address does not exist',
    advice: 'Correct it on the contact, then send the message again.',
    remedy: 'contact',
  },
  {
    pattern: /spam|junk|bulk|reputation|block(ed|list)|black ?list|listed|dmarc|\bspf\b|\bdkim\b|unsolicited/i,
    title: 'The recipient’s mail server took this message for spam',
    advice: 'Check the domain of your mailbox, or write a shorter message with fewer links. Others may arrive.',
    remedy: 'accounts',
  },
  {
    pattern: /\b5\.7\.\d+\b|policy|not (allowed|permitted|authori[sz]ed)|denied|refused|forbidden|prohibited/i,
    title: 'The recipient’s mail server does not accept this message',
    advice: 'Its rules forbid it. Reach the person another way, or ask their administrator to accept your mails.',
  },
  {
    pattern: /\b[45]\.4\.\d+\b|time[d -]*out|expired|delay|retry|unreachable|no route|connect|greylist|\b4\.\d\.\d+\b/i,
    title: 'The recipient’s mail server could not be reached',
    advice: 'Check the address on the contact, or try again later.',
    remedy: 'contact',
  },
]

/** What a failed message means, and what to do. */
export function failureOf(error: string): Failure {
  const own = OWN.find(({ pattern }) => pattern.test(error))
  if (own) return own
  const isBounce = error.startsWith('bounced:')
  const known = REFUSALS.find(({ pattern }) => pattern.test(error))
  if (known) return known
  return isBounce
    ? {
        title: 'The message came back',
        advice: 'Check the address on the contact. The details say why the mail server returned it.',
        remedy: 'contact',
      }
    : { title: 'The message was not sent', advice: 'The details say why. Send it again once that is solved.' }
}

/** How much of a report is read for its reason, if the report is about a message that is not known. */
const BEGINNING = 2_000

/** What a report of a mail server about a message means, and what to do; null for other messages. */
export function reportOf(message: Message, error: string | null | undefined): Failure | null {
  switch (message.kind) {
    case 'bounce':
      return failureOf(error ?? `bounced: ${message.content.slice(0, BEGINNING)}`)
    case 'complaint':
      return {
        title: 'The recipient marked a message as spam',
        advice: 'Nothing more is sent to this contact.',
        remedy: 'contact',
      }
    default:
      return null
  }
}

export const hasBounced = (message: Message) => message.error?.startsWith('bounced:') ?? false

/** Whether a message was not sent, or came back, without anybody having wanted that. */
export const hasFailed = (message: Message) => message.status === 'failed' && !isCancelled(message)

/** Messages that machines wrote about other messages. */
export const isReport = ({ kind }: Message) => kind === 'bounce' || kind === 'complaint' || kind === 'notice'
