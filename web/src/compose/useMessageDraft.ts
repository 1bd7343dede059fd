import { useEffect, useRef, useState } from 'react'
import { ApiError, get, post, remove } from '../api/client'
import type { DataOf } from '../api/paths'
import { refresh, useGet } from '../api/query'
import { useCan } from '../session'
import { draftsOf } from '../shell/drafts'
import { type Attached, BLANK, isBlank, type MessageDraft } from './draft'

/** Milliseconds from the last key press until a draft is saved, and until a failed attempt is repeated. */
const WAIT = 800
const WAIT_AGAIN = 5_000

/** The names of drafts whose last change is not on the server yet. */
const waiting = new Set<string>()
/** Drafts that are being saved now, by their names: also those of composers that were closed. */
const pending = new Map<string, Promise<void>>()
const useLocal = draftsOf(BLANK, waiting)

const nameOf = (contactId: string, conversationId: string | null) =>
  conversationId ? `/conversations/${conversationId}` : `/contacts/${contactId}/message`

/** What discards the drafts that are open in a composer, by their names. */
const composers = new Map<string, () => Promise<string | null>>()

/** A message while it is written. */
export type Writing = {
  draft: MessageDraft
  /** Changes the draft; null empties it after it was sent. */
  change: (changes: Partial<MessageDraft> | null) => void
  state: 'saving' | 'saved' | 'failed' | null
  /** Empties the draft and deletes it on the server; gives the id that it had there. */
  discard: () => Promise<string | null>
  /** Saves what is left to save, and gives the draft's id on the server. */
  flush: () => Promise<string | null>
}

export type Stored = DataOf<'/message-drafts'>[number]

/** A file that is not the contact's: a program may attach those of projects and other contacts, too. */
const unknownFile = (id: string): Attached => ({ id, filename: 'File of another record', size: 0 })

const fromStored = (stored: Stored, files: Attached[]): MessageDraft => ({
  subject: stored.subject ?? '',
  text: stored.content ?? '',
  cc: stored.cc,
  bcc: stored.bcc,
  replyTo: stored.reply_to ?? '',
  attachments: stored.attachments.map((id) => files.find((file) => file.id === id) ?? unknownFile(id)),
  isSigned: stored.signature !== false,
  accountId: stored.account_id,
  channel: stored.channel,
  sendAt: stored.send_at,
})

const toStored = (draft: MessageDraft) => ({
  subject: draft.subject,
  content: draft.text,
  cc: draft.cc,
  bcc: draft.bcc,
  attachments: draft.attachments.map((file) => file.id),
  signature: draft.isSigned,
  channel: draft.channel,
  ...(draft.replyTo.trim() ? { reply_to: draft.replyTo.trim() } : {}),
  ...(draft.accountId ? { account_id: draft.accountId } : {}),
  ...(draft.sendAt ? { send_at: draft.sendAt } : {}),
})

/** Deletes a draft on the server, if it is still there. */
const removeStored = (id: string) =>
  remove(`/message-drafts/${id}`).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  })

/**
 * Discards a draft of a list, also in the composer where it may be open. Returns a function that saves it again.
 */
export function useDiscard(stored: Stored) {
  const name = nameOf(stored.contact_id, stored.conversation_id)
  const [, setLocal] = useLocal(name)
  const { contact_id, conversation_id, account_id, channel, cc, bcc, reply_to, attachments, send_at } = stored
  const restore = async () => {
    await post('/message-drafts', {
      contact_id,
      channel,
      content: stored.content ?? '',
      subject: stored.subject ?? '',
      cc,
      bcc,
      attachments,
      signature: stored.signature !== false,
      ...(conversation_id ? { conversation_id } : {}),
      ...(account_id ? { account_id } : {}),
      ...(reply_to ? { reply_to } : {}),
      ...(send_at ? { send_at } : {}),
    })
    await refresh('message-drafts')
  }
  return async () => {
    const deleted = await composers.get(name)?.()
    setLocal(null)
    waiting.delete(name)
    if (deleted !== stored.id) await removeStored(stored.id)
    await refresh('message-drafts')
    return restore
  }
}

/**
 * The draft of a new message to a contact, or of a reply. The server keeps it for its author, so that it is there again after
 * a reload and on other devices.
 */
export function useMessageDraft(contactId: string, conversationId: string | null, isOpened = true): Writing {
  const name = nameOf(contactId, conversationId)
  const [draft, setDraft] = useLocal(name)
  const [state, setState] = useState<Writing['state']>(null)
  const [isLoaded, setLoaded] = useState(false)
  const mayKeep = useCan('messages:write')
  const params = conversationId ? { conversation_id: conversationId } : { contact_id: contactId }
  const all = useGet(isOpened && mayKeep && !isLoaded ? '/message-drafts' : null, params, { staleTime: 0 })
  const answer = all.isFetching ? undefined : all.data?.data
  const stored = answer?.find((one) => one.conversation_id === conversationId)
  const listed = useGet(stored?.attachments.length ? `/contacts/${contactId}/files` : null, undefined, { staleTime: 0 })
  // Without the names of the files the draft is shown all the same, with their ids.
  const names = listed.isPending || listed.isFetching ? undefined : (listed.data?.data ?? [])
  const files = stored?.attachments.length ? names : []

  const newest = useRef(draft)
  const id = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const queue = useRef<Promise<void>>(Promise.resolve())

  useEffect(() => {
    // An answer from before a save is followed by another one.
    if (isLoaded || !answer || !files || pending.has(name)) return
    setLoaded(true)
    // A draft that was saved since the list was read has its id already.
    id.current ??= stored?.id ?? null
    // What was written on this page is newer.
    if (!stored || !isBlank(newest.current)) return
    newest.current = fromStored(stored, files)
    setDraft(newest.current)
    setState('saved')
  }, [answer, files, isLoaded, name, setDraft, stored])

  const store = async (value: MessageDraft) => {
    if (!isBlank(value)) {
      const place = { contact_id: contactId, ...(conversationId ? { conversation_id: conversationId } : {}) }
      id.current = (await post('/message-drafts', { ...place, ...toStored(value) })).data.id
    } else if (id.current) {
      await removeStored(id.current)
      id.current = null
    }
    refresh('message-drafts')
  }
  const save = () => {
    if (timer.current) clearTimeout(timer.current)
    timer.current = null
    const job = queue.current.then(async () => {
      const value = newest.current
      try {
        await store(value)
        if (newest.current !== value) return
        waiting.delete(name)
        setState(isBlank(value) ? null : 'saved')
      } catch {
        setState('failed')
        timer.current ??= setTimeout(save, WAIT_AGAIN)
      }
    })
    queue.current = job
    pending.set(name, job)
    job.then(() => pending.get(name) === job && pending.delete(name))
  }
  const latest = useRef(save)
  latest.current = save
  // A draft that is closed is saved at once, and so is one on a page that is closed.
  useEffect(() => {
    const close = () => {
      if (timer.current) latest.current()
    }
    const hide = () => {
      if (document.visibilityState === 'hidden') close()
    }
    document.addEventListener('visibilitychange', hide)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      close()
    }
  }, [])
  const discard = async () => {
    setDraft(null)
    newest.current = BLANK
    waiting.add(name)
    const deleted = id.current
    save()
    await queue.current
    return deleted
  }
  const dismissal = useRef(discard)
  dismissal.current = discard
  useEffect(() => {
    const own = () => dismissal.current()
    composers.set(name, own)
    return () => {
      if (composers.get(name) === own) composers.delete(name)
    }
  }, [name])

  return {
    draft,
    state,
    discard,
    change: (changes) => {
      setDraft(changes)
      newest.current = changes ? { ...newest.current, ...changes } : BLANK
      if (timer.current) clearTimeout(timer.current)
      timer.current = null
      if (!mayKeep) return
      if (changes) {
        waiting.add(name)
        timer.current = setTimeout(save, WAIT)
        setState('saving')
      } else {
        // The server has deleted it with the message.
        waiting.delete(name)
        id.current = null
        setState(null)
        refresh('message-drafts')
      }
    },
    flush: async () => {
      if (timer.current) save()
      await Promise.all([queue.current, pending.get(name)])
      // Without the id the server would keep the draft of a message that is sent before the list has arrived.
      if (mayKeep && !isLoaded) {
        const list = await get('/message-drafts', params)
        id.current ??= list.data.find((one) => one.conversation_id === conversationId)?.id ?? null
        setLoaded(true)
      }
      return id.current
    },
  }
}
