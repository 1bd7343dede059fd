import { Anchor, Text, Textarea } from '@mantine/core'
import { lazy, type RefObject, Suspense, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { ask } from '../shell/ask'
import { loadCode } from '../shell/loadCode'
import { Announced, useBraceWarning, WARNING_BELOW, Warning } from './BraceWarning'
import { isHtml } from './draft'
import { fromBlocks, isSimple, toBlocks } from './formatted'
import { insertAt, insertParagraph } from './insert'
import type { Cursor, InputProps, TextEditorProps } from './textField'

const RichText = lazy(async () => ({ default: (await loadCode(() => import('./RichText'))).RichText }))

const SIMPLIFY = {
  title: 'Remove what the editor can’t show?',
  text: 'Tables, images, colours and sizes are removed. Words, lists, quotes and links stay.',
  action: 'Remove',
  cancel: 'Keep HTML',
}

/** A text that is plain or, if it is formatted, HTML. HTML that the editor can't show is edited as source. */
export function TextEditor({ isVariable, ...props }: TextEditorProps) {
  const warning = useBraceWarning(props.value, isVariable)
  return (
    <div>
      <Formatted {...props} warning={warning} />
      <Announced text={warning && `${props.label}: ${warning}`} />
    </div>
  )
}

function Formatted(props: InputProps) {
  const { value, onChange, formats } = props
  const [isChosen, setChosen] = useState(false)
  const carried = useRef<Cursor | null>(null)
  const isForeign = isHtml(value) && !isSimple(value)
  if (!formats) return <Plain {...props} />
  if (!isChosen && !isForeign) {
    return (
      <Suspense fallback={<Plain {...props} carried={carried} isLoading={isHtml(value)} />}>
        <RichText {...props} carried={carried} onSource={() => setChosen(true)} />
      </Suspense>
    )
  }
  const leave = async () => {
    if (isForeign && !(await ask(SIMPLIFY))) return
    if (isForeign) onChange(fromBlocks(toBlocks(value)))
    setChosen(false)
  }
  return (
    <div>
      <Plain {...props} />
      {!props.disabled && (
        <Text size="xs" c="dimmed" mt={4}>
          {isHtml(value) ? 'This text is sent as HTML. ' : 'A text that begins with < is sent as HTML. '}
          <Anchor component="button" type="button" size="xs" onClick={leave}>
            Back to formatted text
          </Anchor>
        </Text>
      )}
    </div>
  )
}

type PlainProps = InputProps & {
  carried?: RefObject<Cursor | null>
  /** The source of a formatted text is not shown while the editor is loaded. */
  isLoading?: boolean
}

function Plain({ handle, carried, isLoading = false, ...props }: PlainProps) {
  const { label, value, onChange } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const isVisited = useRef(false)
  useImperativeHandle(handle, () => ({
    focus: () => area.current?.focus(),
    insert: (text) => onChange(insertAt(area.current, value, text)),
    insertParagraph: (text) => onChange(isHtml(text) ? text : insertParagraph(area.current, value, text)),
  }))
  useLayoutEffect(() => {
    const { current: field } = area
    return () => {
      if (carried && field && isVisited.current)
        carried.current = { at: field.selectionStart, isFocused: field === document.activeElement }
    }
  }, [carried])
  return (
    <Textarea
      ref={area}
      {...(props.isLabelShown ? { label } : { 'aria-label': label })}
      required={props.required}
      placeholder={props.placeholder}
      autosize
      minRows={props.minRows}
      maxRows={props.maxRows}
      data-autofocus={props.isFirst || undefined}
      disabled={props.disabled}
      readOnly={isLoading}
      value={isLoading ? '' : value}
      onFocus={() => {
        isVisited.current = true
        props.onFocus?.()
      }}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputWrapperOrder={WARNING_BELOW}
      description={props.warning && <Warning>{props.warning}</Warning>}
      error={props.error}
    />
  )
}
