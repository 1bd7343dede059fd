import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconClearFormatting, IconCode } from '@tabler/icons-react'
import { Editor } from '@tiptap/react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { WARNING_BELOW, Warning } from './BraceWarning'
import classes from './compose.module.css'
import { isHtml } from './draft'
import { EVENTS, insert, insertApart, SETTINGS } from './editing'
import { fromBlocks, isSimple, toBlocks } from './formatted'
import { LinkControl } from './LinkControl'
import type { FormattedProps } from './textField'

const LABELS = { orderedListControlLabel: 'Numbered list', blockquoteControlLabel: 'Quote' }

const contentOf = (editor: Editor) => fromBlocks(editor.getJSON().content ?? [])

const docOf = (text: string) => ({ type: 'doc', content: toBlocks(text) })

/** A text with formatting. It is loaded with the first text that can have any. */
export function RichText(props: FormattedProps) {
  const [made, setMade] = useState<Made | null>(null)
  const { value } = props
  // The first rendering may be discarded, and an editor can't be: it is made when the component is there to stay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the component appears
  useLayoutEffect(() => setMade({ editor: new Editor({ ...SETTINGS, content: docOf(value) }), from: value }), [])
  return made && <Surface {...props} {...made} />
}

/** An editor, and the value that it was made from: a draft may be loaded before it is on the page. */
type Made = { editor: Editor; from: string }

/** The values that an editor reports, and those that it is given. */
function useContent({ editor, from, value, onChange }: FormattedProps & Made, root: RefObject<HTMLDivElement | null>) {
  /** What the editor contains, and the values that it has reported since the last one that came back. */
  const shown = useRef<string | null>(null)
  const reported = useRef([from])
  const report = useRef(onChange)
  report.current = onChange
  // The first letter may be typed as soon as the editor is on the page.
  useLayoutEffect(() => {
    shown.current ??= contentOf(editor)
    const update = () => {
      const text = contentOf(editor)
      if (text === shown.current) return
      shown.current = text
      reported.current.push(text)
      report.current(text)
      // Not every change is typed, and forms listen to the events of their inputs.
      root.current?.dispatchEvent(new Event('input', { bubbles: true }))
    }
    editor.on('update', update)
    return () => {
      editor.off('update', update)
    }
  }, [editor, root])
  useEffect(() => {
    const at = reported.current.lastIndexOf(value)
    if (at >= 0) {
      reported.current.splice(0, at)
      return
    }
    reported.current = [value]
    editor.chain().setContent(docOf(value), { emitUpdate: false }).setTextSelection(END).run()
    shown.current = contentOf(editor)
  }, [value, editor])
}

/** Behind the last letter. */
const END = Number.MAX_SAFE_INTEGER

function Surface(props: FormattedProps & Made) {
  const { editor, value, label, error, disabled = false, carried } = props
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  useContent(props, root)

  useEffect(() => () => editor.destroy(), [editor])
  const attributes = attributesOf(props, id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes are a new object in every render
  useLayoutEffect(() => {
    editor.setOptions({ editable: !disabled, editorProps: { ...EVENTS, attributes } })
  }, [editor, disabled, JSON.stringify(attributes)])
  // The field that was there while the editor was loaded gives its cursor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the editor appears
  useLayoutEffect(() => {
    const { current: cursor } = carried
    carried.current = null
    const line = value.slice(0, cursor?.at).split('\n').length
    editor.commands.setTextSelection(cursor && !isHtml(value) ? cursor.at + line : END)
    // At once: a key that is pressed in between would be lost.
    if (cursor?.isFocused) editor.view.focus()
  }, [])

  useImperativeHandle(props.handle, () => ({
    focus: () => editor.view.focus(),
    insert: (text, isMarkup) => insert(editor, text, isMarkup),
    // HTML that can't be shown here is edited as source, so it takes the place of the text.
    insertParagraph: (text) =>
      isHtml(text) && !isSimple(text) ? props.onChange(text) : insertApart(editor, toBlocks(text)),
  }))

  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    // Elsewhere these keys open the search.
    event.stopPropagation()
    if (!disabled) setLinking(true)
  }
  const clear = () => editor.chain().focus().unsetAllMarks().clearNodes().run()
  const rows = { '--min-rows': props.minRows, '--max-rows': props.maxRows }
  return (
    <Input.Wrapper
      ref={root}
      {...(props.isLabelShown ? { label } : {})}
      labelElement="div"
      labelProps={{ onClick: () => editor.view.focus() }}
      required={props.required}
      inputWrapperOrder={WARNING_BELOW}
      description={props.warning && <Warning>{props.warning}</Warning>}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
    >
      <RichTextEditor
        editor={editor}
        labels={LABELS}
        withCodeHighlightStyles={false}
        withTypographyStyles={false}
        className={classes.editor}
        data-error={error ? true : undefined}
        data-disabled={disabled || undefined}
        style={rows}
        onKeyDown={keys}
        onFocus={(event) => event.target === editor.view.dom && props.onFocus?.()}
      >
        <RichTextEditor.Content
          className={classes.text}
          data-placeholder={value === '' ? props.placeholder : undefined}
        />
        {!disabled && (
          <RichTextEditor.Toolbar className={classes.bar} role="toolbar" aria-label="Formatting" onKeyDown={walk}>
            <RichTextEditor.Bold type="button" title="Bold (Ctrl+B)" />
            <RichTextEditor.Italic type="button" title="Italic (Ctrl+I)" />
            <RichTextEditor.Underline type="button" title="Underline (Ctrl+U)" />
            <RichTextEditor.BulletList type="button" />
            <RichTextEditor.OrderedList type="button" />
            <RichTextEditor.Blockquote type="button" />
            <LinkControl editor={editor} isOpened={isLinking} onOpen={setLinking} />
            <RichTextEditor.Control
              type="button"
              aria-label="Clear formatting"
              title="Clear formatting"
              onClick={clear}
            >
              <IconClearFormatting size={16} aria-hidden />
            </RichTextEditor.Control>
            <RichTextEditor.Control type="button" aria-label="Edit HTML" title="Edit HTML" onClick={props.onSource}>
              <IconCode size={16} aria-hidden />
            </RichTextEditor.Control>
          </RichTextEditor.Toolbar>
        )}
      </RichTextEditor>
    </Input.Wrapper>
  )
}

/** Arrows go from one button of the toolbar to the next. */
function walk(event: KeyboardEvent) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const { activeElement: active } = document
  if (active instanceof HTMLElement) buttons.at((buttons.indexOf(active) + step) % buttons.length)?.focus()
}

function attributesOf(props: FormattedProps, id: string): Record<string, string> {
  const described = [...(props.error ? [`${id}-error`] : []), ...(props.warning ? [`${id}-description`] : [])]
  return {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': props.label,
    ...(props.required ? { 'aria-required': 'true' } : {}),
    ...(props.error ? { 'aria-invalid': 'true' } : {}),
    ...(described.length ? { 'aria-describedby': described.join(' ') } : {}),
    ...(props.disabled ? { 'aria-disabled': 'true' } : {}),
    ...(props.placeholder ? { 'aria-placeholder': props.placeholder } : {}),
    ...(props.isFirst ? { 'data-autofocus': 'true' } : {}),
  }
}
