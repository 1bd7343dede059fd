import { ActionIcon, Anchor, Button, Input, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { ApiError, remove } from '../api/client'
import type { BodyOf } from '../api/paths'
import { refresh, useAction, useGet } from '../api/query'
import type { ConnectedAccount, Message, MessageTemplate } from '../api/types'
import { sentence } from '../fields/format'
import { Drop } from '../record/Files'
import { personName, useCan } from '../session'
import { ask } from '../shell/ask'
import { notifyError, notifyWithUndo } from '../shell/notices'
import { ErrorMessage, isPlaced, problemIn } from '../shell/problems'
import { useProblems } from '../shell/useProblems'
import { AddressInput } from './AddressInput'
import { AttachMenu, Attachments, overLimit, useUploads } from './Attachments'
import { problemWith } from './addresses'
import { SubjectInput } from './BraceWarning'
import classes from './compose.module.css'
import { type Attached, isBlank, isHtml, type MessageDraft } from './draft'
import { failureOf } from './failures'
import { fillIn, useVariableValues } from './fillIn'
import { plainText, unformatted } from './formatted'
import { TemplateMenu, VariableMenu } from './Menus'
import { ReplyTo } from './ReplyTo'
import { Planned, SendLater } from './SendLater'
import { SignatureLine } from './Signature'
import { signatureFor } from './signatures'
import { TextEditor } from './TextEditor'
import type { TextField } from './textField'
import type { Writing } from './useMessageDraft'
import { isMessageVariable, MESSAGE_VARIABLES, placeholdersIn } from './variables'

/** The members of a message that its writer chooses, the same for a new message and a reply. */
export type Written = BodyOf<`/conversations/${string}/messages`, 'post'>

type Props = {
  contactId: string
  channel: Message['channel']
  /** The account that sends. */
  account: ConnectedAccount | undefined
  /** Where it goes, if it is not the contact's first address. */
  to?: string | null
  writing: Writing
  /** A new message has a subject; a reply has that of its thread. */
  hasSubject: boolean
  label: string
  minRows: number
  field?: RefObject<TextField | null>
  send: (written: Written) => Promise<unknown>
  onSent: (written: Written) => void
  /** The draft was discarded. */
  onDiscard?: () => void
}

/** The members whose problems are shown at their inputs. */
const PLACED = ['content', 'subject', 'cc', 'bcc', 'reply_to', 'attachments', 'send_at']

/** Why nothing is sent to the contact's address, in words. */
function suppressionIn(error: unknown) {
  const reasons = error instanceof ApiError ? error.problems : []
  const found = reasons.find(({ field, reason }) => field === 'contact_id' && /is suppressed/.test(reason))
  return found && failureOf(found.reason)
}

/** What is said of the draft. */
const STATES = { saving: '', saved: 'Draft saved', failed: 'Draft not saved yet' }

/** The member of the request that a part of the draft becomes, where their names differ. */
const MEMBERS: Partial<Record<string, string>> = { text: 'content', replyTo: 'reply_to', sendAt: 'send_at' }

/** Writes a message: text, copies, attachments, template, signature and time. Ctrl-Enter sends. */
export function Composer(props: Props) {
  const { contactId, channel, account, label, writing } = props
  const { draft } = writing
  const isEmail = channel === 'email'
  const text = isEmail ? draft.text : unformatted(draft.text)
  const contact = useGet(`/contacts/${contactId}`).data?.data
  const by = account ? { account_id: account.id } : {}
  const [isMenuOpened, setMenuOpened] = useState(false)
  const values = useVariableValues(contactId, account?.id, isHtml(text), isMenuOpened)
  const mayAttach = useCan('contacts:read')
  const [hasCopies, setHasCopies] = useState(false)
  // A stored draft is loaded after the form is shown.
  const copies = draft.cc.length + draft.bcc.length
  if (!hasCopies && (copies > 0 || draft.replyTo)) setHasCopies(true)
  const own = useRef<TextField>(null)
  const field = props.field ?? own
  const newest = useRef(draft)
  newest.current = draft
  const onDraft = (changes: Partial<MessageDraft> | null) => {
    solve(...Object.keys(changes ?? {}).map((name) => MEMBERS[name] ?? name))
    if (changes) newest.current = { ...newest.current, ...changes }
    writing.change(changes)
  }
  const attach = (file: Attached) => onDraft({ attachments: [...newest.current.attachments, file] })
  const { uploads, add } = useUploads(isEmail && mayAttach ? `/contacts/${contactId}` : null, attach)

  const send = useAction(
    async (written: Written) => {
      // The server deletes the draft in the moment in which it queues the message.
      const draft_id = await writing.flush()
      return props.send({ ...written, ...(draft_id ? { draft_id } : {}) })
    },
    (_, written) => {
      onDraft(null)
      setHasCopies(false)
      props.onSent(written)
    },
  )
  const { left, solve } = useProblems(send.error)
  const addresses = [...draft.cc, ...draft.bcc, ...(draft.replyTo ? [draft.replyTo] : [])]
  const isRefused = isEmail && Boolean(overLimit(draft.attachments) ?? problemWith(addresses))
  const isReady = text.trim() !== '' && uploads.length === 0 && !isRefused
  const openIn = (one: MessageDraft) => placeholdersIn(isEmail ? `${one.subject} ${one.text}` : one.text)
  /** The draft with the values of placeholders that were typed, and why they could not be filled in. */
  const completed = async (now: MessageDraft): Promise<[MessageDraft, string]> => {
    if (openIn(now).length === 0) return [now, '']
    try {
      const texts = { content: now.text, ...(isEmail && now.subject ? { subject: now.subject } : {}) }
      const filled = await fillIn({ contact_id: contactId, ...by, ...texts })
      const changes = { text: filled.content, ...(filled.subject === null ? {} : { subject: filled.subject }) }
      onDraft(changes)
      return [{ ...now, ...changes }, '']
    } catch (error) {
      // What is no template is shown in the question.
      const [problem] = error instanceof ApiError ? error.problems : []
      return [now, problem ? ` ${sentence(problem.reason)}` : '']
    }
  }
  const submit = async (send_at?: string) => {
    if (!isReady || send.isPending) return
    const { current: written } = newest
    const [now, why] = await completed(isEmail ? written : { ...written, text: unformatted(written.text) })
    const open = openIn(now)
    const question = {
      title: 'Send without these values?',
      text: `Not filled in: ${open.join(', ')}. The recipient would see these placeholders.${why}`,
      action: 'Send anyway',
      cancel: 'Keep editing',
    }
    if (open.length > 0 && !(await ask(question))) return
    const bare = { title: 'Send without a subject?', action: 'Send without', cancel: 'Keep editing' }
    if (isEmail && props.hasSubject && !now.subject.trim() && !(await ask(bare))) return
    await send
      .mutateAsync({
        content: now.text,
        ...(isEmail && {
          ...(props.hasSubject && now.subject ? { subject: now.subject } : {}),
          ...(now.cc.length ? { cc: now.cc } : {}),
          ...(now.bcc.length ? { bcc: now.bcc } : {}),
          ...(now.replyTo ? { reply_to: now.replyTo } : {}),
          ...(now.attachments.length ? { attachments: now.attachments.map((one) => one.id) } : {}),
          ...(now.isSigned ? {} : { signature: false }),
        }),
        ...(send_at ? { send_at } : {}),
      })
      // The form shows it.
      .catch(() => {})
  }
  const latest = useRef(submit)
  latest.current = submit

  const keys = (event: KeyboardEvent) => {
    // Behind a reply wait the keys of the inbox; a dialog and a menu are closed by Escape.
    if (event.key === 'Escape' && !props.hasSubject) {
      const { activeElement: active } = document
      if (active instanceof HTMLElement && event.currentTarget.contains(active)) active.blur()
      return
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    const { activeElement: active } = document
    // An address that was typed into Cc is taken when its field is left.
    if (active instanceof HTMLInputElement) active.blur()
    setTimeout(() => latest.current(), 0)
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Copied text of office programs also contains a picture of itself.
    if (!isEmail || files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    add(files)
  }
  const drop = (file: Attached) => {
    onDraft({ attachments: draft.attachments.filter((one) => one.id !== file.id) })
    // It was uploaded for this message alone.
    if (file.isNew)
      remove(`/contacts/${contactId}/files/${file.id}`).then(() => refresh('files', 'timeline'), notifyError)
  }
  const take = useAction(async (template: MessageTemplate) => {
    // Below a text comes the signature of the account anyway.
    const content = template.content.replace(/\s*\{\{-?\s*sender\.signature\s*-?\}\}\s*$/, '')
    const subject = props.hasSubject && template.subject ? { subject: template.subject } : {}
    const filled = await fillIn({ contact_id: contactId, ...by, content, ...subject })
    const words = isEmail ? filled.content : plainText(filled.content)
    const hasSignature = isEmail && content.includes('sender.signature')
    onDraft({
      ...(filled.subject === null ? {} : { subject: filled.subject }),
      ...(hasSignature ? { isSigned: false } : {}),
    })
    if (newest.current.text.trim()) field.current?.insertParagraph(words)
    else {
      onDraft({ text: words })
      setTimeout(() => field.current?.focus(), 0)
    }
  })
  const discard = async () => {
    const before = newest.current
    setHasCopies(false)
    await writing.discard()
    props.onDiscard?.()
    notifyWithUndo('Draft discarded', async () => {
      writing.change(before)
      await writing.flush()
    })
  }
  const valueFor = (name: string) => values?.get(name) ?? null
  const problems = (name: string) => problemIn(left, name)
  // As the server chooses: the last address of the conversation if the contact still has it, else the first one.
  const known = contact?.emails.map(({ email }) => email) ?? [props.to]
  const to = known.find((one) => one?.toLowerCase() === props.to?.toLowerCase()) ?? known[0]
  const files = isEmail && mayAttach
  const refused = suppressionIn(left)
  const body = (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to the keys of its inputs
    <div role="presentation" onKeyDown={keys} onPaste={paste}>
      <Stack gap="xs">
        {isEmail && (
          <div className={classes.to}>
            <span className="dim">To</span>
            <span className="cut">
              {contact && personName(contact)} {to ? <span className="dim">{to}</span> : 'has no email address'}
            </span>
            {!hasCopies && (
              <Anchor component="button" type="button" size="xs" ml="auto" onClick={() => setHasCopies(true)}>
                Cc, Bcc and Reply-To
              </Anchor>
            )}
          </div>
        )}
        {isEmail && hasCopies && (
          <>
            <AddressInput
              label="Cc"
              autoFocus={copies === 0 && !draft.replyTo}
              value={draft.cc}
              onChange={(cc) => onDraft({ cc })}
              error={problems('cc')}
            />
            <AddressInput label="Bcc" value={draft.bcc} onChange={(bcc) => onDraft({ bcc })} error={problems('bcc')} />
            <ReplyTo
              value={draft.replyTo}
              own={account?.address}
              onChange={(replyTo) => onDraft({ replyTo })}
              error={problems('reply_to')}
            />
          </>
        )}
        {isEmail && props.hasSubject && (
          <SubjectInput
            label="Subject"
            isVariable={isMessageVariable}
            value={draft.subject}
            onChange={(event) => onDraft({ subject: event.currentTarget.value })}
            error={problems('subject')}
          />
        )}
        <TextEditor
          handle={field}
          label={label}
          isLabelShown={props.hasSubject}
          required={props.hasSubject}
          placeholder={props.hasSubject ? undefined : `${label} (Ctrl-Enter sends)`}
          formats={isEmail}
          minRows={props.minRows}
          maxRows={14}
          isFirst={props.hasSubject}
          isVariable={isMessageVariable}
          value={text}
          onChange={(changed) => onDraft({ text: changed })}
          error={problems('content')}
        />
        {isEmail && (props.hasSubject || text !== '') && (
          <SignatureLine
            account={account}
            signature={signatureFor(account, text)}
            isOn={draft.isSigned}
            onChange={(isSigned) => onDraft({ isSigned })}
          />
        )}
        {files && (
          <Attachments files={draft.attachments} uploads={uploads} error={problems('attachments')} onRemove={drop} />
        )}
        {files && draft.attachments.some((one) => one.isNew) && (
          <Text size="xs" c="dimmed">
            Uploaded files are stored with the contact, where all members see them
            {account?.visibility === 'owner' && ', although this mailbox is private'}.
          </Text>
        )}
        {left && !isPlaced(left, PLACED) && !refused && <ErrorMessage error={left} />}
        {refused && (
          <Input.Error role="alert">
            {refused.title}. {refused.advice}
          </Input.Error>
        )}
        {draft.sendAt && (
          <Planned
            at={draft.sendAt}
            isReady={isReady && !send.isPending}
            onSchedule={submit}
            onRemove={() => onDraft({ sendAt: null })}
          />
        )}
        <Input.Error>{problems('send_at')}</Input.Error>
        <div className={classes.tools}>
          <TemplateMenu onPick={(template) => take.mutate(template)} />
          <VariableMenu
            names={MESSAGE_VARIABLES}
            valueFor={valueFor}
            onOpen={() => setMenuOpened(true)}
            onPick={(name) => field.current?.insert(valueFor(name) ?? '', isHtml(text))}
          />
          {files && (
            <AttachMenu
              path={`/contacts/${contactId}`}
              title={`Files of ${contact ? personName(contact) : 'the contact'}`}
              attached={draft.attachments}
              onAttach={attach}
              onUpload={add}
            />
          )}
          <div className={classes.send}>
            <Text size="xs" c="dimmed" role="status">
              {STATES[writing.state ?? 'saving']}
            </Text>
            {!isBlank(draft) && (
              <ActionIcon aria-label="Discard draft" title="Discard draft" disabled={send.isPending} onClick={discard}>
                <IconTrash size={16} />
              </ActionIcon>
            )}
            <SendLater disabled={!isReady} onPick={submit} />
            <Button disabled={!isReady} loading={send.isPending} onClick={() => submit()}>
              Send
            </Button>
          </div>
        </div>
      </Stack>
    </div>
  )
  return files ? <Drop onFiles={add}>{body}</Drop> : body
}
