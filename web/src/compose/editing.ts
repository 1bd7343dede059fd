import { Fragment, type Mark, Slice } from '@tiptap/pm/model'
import { TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { type Editor, type EditorOptions, Extension, type JSONContent } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { blocksOfHtml, isBlankLine, isLinkTarget } from './formatted'

/** The levels of lists. Tab is free to leave the editor. */
const Levels = Extension.create({
  name: 'levels',
  addKeyboardShortcuts: () => ({
    'Mod-]': ({ editor }) => editor.commands.sinkListItem('listItem'),
    'Mod-[': ({ editor }) => editor.commands.liftListItem('listItem'),
  }),
})

const EXTENSIONS = [
  Levels,
  StarterKit.configure({
    code: false,
    codeBlock: false,
    dropcursor: false,
    gapcursor: false,
    heading: false,
    horizontalRule: false,
    strike: false,
    link: {
      openOnClick: false,
      autolink: false,
      isAllowedUri: isLinkTarget,
      shouldAutoLink: isLinkTarget,
      HTMLAttributes: { target: null, rel: null },
    },
  }),
]

const hasFilesAlone = ({ clipboardData }: ClipboardEvent) =>
  Boolean(clipboardData?.files.length) && !clipboardData?.types.includes('text/plain')

/** The lines of a plain text as paragraphs. Those at both ends join the lines that they meet. */
function linesOf(view: EditorView, text: string, marks: readonly Mark[]) {
  const { schema } = view.state
  const line = (words: string) => schema.nodes.paragraph.create(null, words ? schema.text(words, marks) : null)
  return new Slice(Fragment.from(text.split(/\r\n?|\n/).map(line)), 1, 1)
}

/** Puts a plain text in place of the selection, formatted like the text before it. */
function putText(view: EditorView, text: string) {
  const { tr, storedMarks, selection } = view.state
  const lines = linesOf(view, text, storedMarks ?? selection.$from.marks())
  view.dispatch(tr.replaceSelection(lines).scrollIntoView())
}

function putBlocks(view: EditorView, blocks: JSONContent[]) {
  const { schema, tr } = view.state
  const nodes = blocks.map((one) => schema.nodeFromJSON(one))
  const isOpen = (at: number) => (blocks.at(at)?.type === 'paragraph' ? 1 : 0)
  view.dispatch(tr.replaceSelection(new Slice(Fragment.from(nodes), isOpen(0), isOpen(-1))).scrollIntoView())
}

/**
 * HTML of other programs without attributes that could run or load something, and with a blank line for the distance of
 * paragraphs, which they write as a margin. The editor takes what it knows from the rest.
 */
function cleaned(html: string): string {
  if (html.includes('data-pm-slice')) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const one of body.querySelectorAll('script, style, img, svg, iframe, object, template')) one.remove()
  for (const one of body.querySelectorAll('p + p:not([class*=Mso])')) {
    if (!one.closest('li')) one.before(one.ownerDocument.createElement('p'))
  }
  for (const one of body.querySelectorAll('*')) {
    for (const { name } of [...one.attributes]) if (name !== 'href' && name !== 'style') one.removeAttribute(name)
  }
  return new XMLSerializer().serializeToString(body)
}

/** The settings of the editor that are the same for every text. Nothing is formatted unless the user asks for it. */
export const SETTINGS = {
  extensions: EXTENSIONS,
  injectCSS: false,
  enableInputRules: false,
  enablePasteRules: false,
  coreExtensionOptions: { clipboardTextSerializer: { blockSeparator: '\n' } },
} satisfies Partial<EditorOptions>

export const EVENTS: EditorOptions['editorProps'] = {
  // Files are attached, not inserted.
  handlePaste: (_, event) => hasFilesAlone(event),
  clipboardTextParser: (text, context, _, view) => linesOf(view, text, context.marks()),
  transformPastedHTML: cleaned,
  handleDOMEvents: {
    keydown: (_, event) => {
      // Ctrl-Enter sends, and Tab leaves the text, also in a list.
      const isSending = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      if (isSending) event.preventDefault()
      return isSending || event.key === 'Tab'
    },
    beforeinput: (view, event) => {
      // Dictation and programs that complete texts insert several lines at once.
      if (event.inputType !== 'insertText' || !event.data?.includes('\n')) return false
      event.preventDefault()
      putText(view, event.data)
      return true
    },
  },
}

/** Puts a text, or a piece of HTML, at the place of the cursor, which then is behind it. */
export function insert(editor: Editor, text: string, isMarkup = false) {
  if (isMarkup) putBlocks(editor.view, blocksOfHtml(text))
  else putText(editor.view, text)
  // A menu gives the focus back to its button when it closes.
  setTimeout(() => editor.view.focus(), 0)
}

/** Puts blocks as paragraphs of their own at the place of the cursor; at the end if it is before all text. */
export function insertApart(editor: Editor, blocks: JSONContent[]) {
  const { doc, selection } = editor.state
  const isAtStart = selection.to <= 1
  const [from, to] = isAtStart ? [doc.content.size, doc.content.size] : [selection.from, selection.to]
  const contentOf = (start: number, end: number): JSONContent[] => doc.cut(start, end).toJSON().content ?? []
  const before = contentOf(0, from)
  while (before.length && isBlankLine(before[before.length - 1])) before.pop()
  const after = contentOf(to, doc.content.size)
  while (after.length && isBlankLine(after[0])) after.shift()
  const blank = { type: 'paragraph' }
  const upTo = [...before, ...(before.length ? [blank] : []), ...blocks]
  editor.commands.setContent({ type: 'doc', content: [...upTo, ...(after.length ? [blank, ...after] : [])] })
  const size = Fragment.from(upTo.map((one) => editor.schema.nodeFromJSON(one))).size
  const { state, view } = editor
  view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(size - 1), -1)).scrollIntoView())
  setTimeout(() => view.focus(), 0)
}
