import type { JSONContent } from '@tiptap/react'
import { isHtml } from './draft'

/*
 * A text is plain, or HTML with a few elements. In the editor every line is a paragraph, as in a plain text: an empty one is
 * a blank line. In HTML lines are divided by <br>, and a blank line begins the next <p>, so that a mail looks like its draft.
 */

const MARKS: Partial<Record<string, string>> = {
  A: 'link',
  B: 'bold',
  STRONG: 'bold',
  EM: 'italic',
  I: 'italic',
  U: 'underline',
}
const LISTS: Partial<Record<string, string>> = { UL: 'bulletList', OL: 'orderedList' }
const INLINE = new Set([...Object.keys(MARKS), 'BR'])
/** Where each element may be, with its parents; everything else is kept as source. */
const PARENTS: Partial<Record<string, readonly string[]>> = {
  P: ['BODY', 'BLOCKQUOTE', 'LI'],
  UL: ['BODY', 'BLOCKQUOTE', 'LI'],
  OL: ['BODY', 'BLOCKQUOTE', 'LI'],
  LI: ['UL', 'OL'],
  BLOCKQUOTE: ['BODY', 'BLOCKQUOTE'],
}
/** Elements whose contents are not text. */
const OMITTED = new Set(['SCRIPT', 'STYLE', 'TITLE', 'TEMPLATE', 'OBJECT', 'IFRAME', 'NOSCRIPT', 'TEXTAREA', 'SELECT'])
/** Elements that are not lines of their own, if the editor does not know them. */
const TRANSPARENT = new Set('ABBR CITE CODE DEL FONT INS LABEL MARK Q S SMALL SPAN STRIKE SUB SUP TIME'.split(' '))

/** Placeholders and statements, which the server reads before it reads the HTML. */
const FILLED_IN = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g

const escapeAll = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The elements of HTML; nothing in it is run or loaded. */
const parse = (html: string) =>
  new DOMParser().parseFromString(
    html.replace(FILLED_IN, (one) => escapeAll(one)),
    'text/html',
  )

/** Whether a link may go there: to a page, an address or a phone, or where a variable says. */
export const isLinkTarget = (href: string) => /^(https?:\/\/[^\s/]|mailto:[^\s]|tel:[^\s]|\{\{[^{}]*\}\})/i.test(href)

/** What was typed as the target of a link; null if it is none. */
export function linkTarget(typed: string): string | null {
  const text = typed.trim()
  if (isLinkTarget(text)) return text
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return `mailto:${text}`
  return /^[^\s@:/?#]+\.[^\s@:/?#]+(:\d+)?([/?#]\S*)?$/.test(text) ? `https://${text}` : null
}

const isPlainAttribute = (element: Element, { name, value }: Attr) =>
  element.tagName === 'A' && (name === 'href' ? isLinkTarget(value) : name === 'target' || name === 'rel')

function isKnown(element: Element): boolean {
  const { tagName, parentElement: parent } = element
  const isPlaced = INLINE.has(tagName)
    ? parent !== null && !LISTS[parent.tagName]
    : PARENTS[tagName]?.includes(parent?.tagName ?? '')
  return Boolean(isPlaced) && [...element.attributes].every((one) => isPlainAttribute(element, one))
}

/** Whether the editor shows all of an HTML text. */
export function isSimple(html: string): boolean {
  if (/<(!|\/?(html|head|body)\b)/i.test(html.replace(FILLED_IN, ''))) return false
  const { head, body } = parse(html)
  return head.childElementCount === 0 && [...body.querySelectorAll('*')].every(isKnown)
}

const paragraph = (content: JSONContent[] = []): JSONContent => ({ type: 'paragraph', content })
export const isBlankLine = (node: JSONContent) => node.type === 'paragraph' && !node.content?.length

/** The lines of elements that are in a row. */
function linesOf(nodes: Node[]): JSONContent[][] {
  const lines: JSONContent[][] = [[]]
  const walk = (node: Node, marks: NonNullable<JSONContent['marks']>) => {
    if (node instanceof Text) {
      const line = lines[lines.length - 1]
      // A space that is not shown is left out; two spaces are written as one that is kept and one that is not.
      const text = node.data.replace(/[ \t\r\n]+/g, ' ').replace(/\u00a0(?= )/g, ' ')
      const before = line.at(-1)?.text
      const shown = before === undefined || before.endsWith(' ') ? text.replace(/^ (?! )/, '') : text
      if (shown) line.push({ type: 'text', text: shown, ...(marks.length ? { marks } : {}) })
    } else if (node instanceof Element && !OMITTED.has(node.tagName)) {
      if (node.tagName === 'BR') lines.push([])
      const type = MARKS[node.tagName]
      const href = node.getAttribute('href') ?? ''
      const isNew = type && !marks.some((one) => one.type === type) && (type !== 'link' || isLinkTarget(href))
      const own = isNew ? [...marks, type === 'link' ? { type, attrs: { href } } : { type }] : marks
      for (const child of node.childNodes) walk(child, own)
    }
  }
  for (const node of nodes) walk(node, [])
  // A last <br> begins no line that is shown.
  if (lines.length > 1 && lines[lines.length - 1].length === 0) lines.pop()
  for (const line of lines) {
    const last = line.at(-1)
    if (last?.text) last.text = last.text.replace(/ $/, '')
    if (last?.text === '') line.pop()
  }
  return lines
}

const joined = (lines: JSONContent[][]) =>
  paragraph(lines.flatMap((line, at) => (at > 0 ? [{ type: 'hardBreak' }, ...line] : line)))

const isInline = (node: Node) =>
  node instanceof Text || (node instanceof Element && (INLINE.has(node.tagName) || TRANSPARENT.has(node.tagName)))

/** The elements in an element, with those in a row together. */
function parts(parent: Node): (Element | Node[])[] {
  const found: (Element | Node[])[] = []
  for (const node of parent.childNodes) {
    const last = found.at(-1)
    if (isInline(node)) {
      if (Array.isArray(last)) last.push(node)
      else if (node.textContent?.trim() || node.nodeName === 'BR') found.push([node])
    } else if (node instanceof Element && !OMITTED.has(node.tagName)) found.push(node)
  }
  return found
}

function blocksOf(parent: Node): JSONContent[] {
  const blocks: JSONContent[] = []
  /** Whether the last lines were a paragraph with text: then the next paragraph has a blank line before it. */
  let isAfterText = false
  let blanks: JSONContent[] = []
  const end = () => {
    blocks.push(...blanks)
    blanks = []
    isAfterText = false
  }
  for (const part of parts(parent)) {
    if (Array.isArray(part) || part.tagName === 'P') {
      const lines = linesOf(Array.isArray(part) ? part : [...part.childNodes])
      if (lines.every((line) => line.length === 0)) blanks.push(...lines.map(() => paragraph()))
      else {
        if (isAfterText) blanks.push(paragraph())
        blocks.push(...blanks, ...lines.map((line) => paragraph(line)))
        blanks = []
        isAfterText = true
      }
      continue
    }
    end()
    const list = LISTS[part.tagName]
    if (list) {
      const items = [...part.children].filter((one) => one.tagName === 'LI').map(itemOf)
      if (items.length) blocks.push({ type: list, content: items })
    } else if (part.tagName === 'BLOCKQUOTE') {
      const content = blocksOf(part)
      if (content.length) blocks.push({ type: 'blockquote', content })
    } else blocks.push(...blocksOf(part))
  }
  end()
  return blocks
}

function itemOf(item: Element): JSONContent {
  const content = parts(item).flatMap((part) => {
    if (Array.isArray(part)) return [joined(linesOf(part))]
    if (part.tagName === 'P') return [joined(linesOf([...part.childNodes]))]
    const own = item.ownerDocument.createElement('div')
    own.append(part.cloneNode(true))
    return blocksOf(own)
  })
  return { type: 'listItem', content: content[0]?.type === 'paragraph' ? content : [paragraph(), ...content] }
}

/** The blocks of a piece of HTML, in the editor's form. What the editor does not know is left out, except for its text. */
export const blocksOfHtml = (html: string) => blocksOf(parse(html).body)

/** The lines of a plain text, in the editor's form. */
const blocksOfText = (text: string): JSONContent[] =>
  text.split(/\r\n?|\n/).map((line) => paragraph(line ? [{ type: 'text', text: line }] : []))

/** A text, plain or HTML, in the editor's form. */
export function toBlocks(text: string): JSONContent[] {
  const blocks = isHtml(text) ? blocksOfHtml(text) : blocksOfText(text)
  return blocks.length ? blocks : [paragraph()]
}

const TAGS = [
  ['link', 'a'],
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
] as const

/** Text in HTML. The server reads placeholders as they were typed. */
function escaped(text: string): string {
  const outside = (one: string) =>
    one
      .replace(/ (?= )/g, '\u00a0')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\u00a0', '&nbsp;')
  let written = ''
  let at = 0
  for (const found of text.matchAll(FILLED_IN)) {
    written += outside(text.slice(at, found.index)) + found[0]
    at = found.index + found[0].length
  }
  return written + outside(text.slice(at))
}

const hrefIn = (href: string) => escaped(href).replace(/"(?![^{]*\}\})/g, '&quot;')

/** A line in HTML. Neighbours with the same mark share one element. */
function lineHtml(nodes: JSONContent[], [tag, ...others]: readonly (readonly [string, string])[] = TAGS): string {
  if (!tag) return nodes.map((one) => (one.type === 'hardBreak' ? '<br>' : escaped(one.text ?? ''))).join('')
  const [type, name] = tag
  const groups: { href: string | null; nodes: JSONContent[] }[] = []
  for (const node of nodes) {
    const mark = node.marks?.find((one) => one.type === type)
    const href = mark ? String(mark.attrs?.href ?? '') : null
    const last = groups.at(-1)
    if (last?.href === href) last.nodes.push(node)
    else groups.push({ href, nodes: [node] })
  }
  return groups
    .map((group) => {
      const inner = lineHtml(group.nodes, others)
      if (group.href === null) return inner
      return name === 'a' ? `<a href="${hrefIn(group.href)}">${inner}</a>` : `<${name}>${inner}</${name}>`
    })
    .join('')
}

const contentOf = (node: JSONContent) => node.content ?? []

function html(blocks: JSONContent[]): string {
  let written = ''
  let lines: string[] = []
  let blanks = 0
  /** Whether the paragraph before has text: the first blank line after it is its distance to the next one. */
  let isAfterText = false
  const flush = (isBeforeText: boolean) => {
    if (lines.length) {
      written += `<p>${lines.join('<br>')}</p>`
      lines = []
      isAfterText = true
    }
    const shown = isAfterText && isBeforeText ? blanks - 1 : blanks
    written += '<p><br></p>'.repeat(Math.max(shown, 0))
    blanks = 0
  }
  for (const node of blocks) {
    if (isBlankLine(node)) {
      blanks += 1
      continue
    }
    const isText = node.type === 'paragraph'
    if (blanks > 0 || !isText) flush(isText)
    if (isText) lines.push(lineHtml(contentOf(node)).replace(/^ /, '&nbsp;'))
    else {
      isAfterText = false
      written += blockHtml(node)
    }
  }
  // Blank lines at the end are left out.
  blanks = 0
  flush(false)
  return written
}

function blockHtml(node: JSONContent): string {
  if (node.type === 'blockquote') return `<blockquote>${html(contentOf(node))}</blockquote>`
  const tag = node.type === 'orderedList' ? 'ol' : 'ul'
  return `<${tag}>${contentOf(node).map(itemHtml).join('')}</${tag}>`
}

function itemHtml(item: JSONContent): string {
  const content = contentOf(item).map((node, at, all) => {
    if (node.type !== 'paragraph') return blockHtml(node)
    return (all[at - 1]?.type === 'paragraph' ? '<br>' : '') + lineHtml(contentOf(node))
  })
  return `<li>${content.join('')}</li>`
}

const isPlainLine = (node: JSONContent) =>
  node.type === 'paragraph' && contentOf(node).every((one) => !one.marks?.length)

const hasText = (node: JSONContent): boolean => Boolean(node.text?.trim()) || contentOf(node).some(hasText)

const lineText = (nodes: JSONContent[]) =>
  nodes.map((one) => (one.type === 'hardBreak' ? '\n' : (one.text ?? ''))).join('')

/** What was written in the editor: plain text if nothing is formatted, otherwise HTML. */
export function fromBlocks(blocks: JSONContent[]): string {
  if (blocks.every(isPlainLine)) {
    const text = blocks.map((one) => lineText(contentOf(one))).join('\n')
    // The server takes a text that begins with `<` for HTML.
    if (!isHtml(text)) return text
  }
  return blocks.some(hasText) ? html(blocks) : ''
}

/** The lines of a formatted text, with marks before the items of lists and before quoted lines. */
function textLines(blocks: JSONContent[]): string[] {
  return blocks.flatMap((node) => {
    if (node.type === 'paragraph') {
      const nodes = contentOf(node).map((one) => {
        const href = one.marks?.find((mark) => mark.type === 'link')?.attrs?.href
        const isNamed = href && href !== one.text && href !== `mailto:${one.text}`
        return isNamed ? { ...one, text: `${one.text} (${href})` } : one
      })
      return lineText(nodes).split('\n')
    }
    if (node.type === 'blockquote') return textLines(contentOf(node)).map((line) => `> ${line}`.trimEnd())
    return contentOf(node).flatMap((item, at) => {
      const mark = node.type === 'orderedList' ? `${at + 1}. ` : '- '
      return textLines(contentOf(item)).map((line, number) => (number ? ' '.repeat(mark.length) : mark) + line)
    })
  })
}

/** A text or HTML as the lines of a plain text. */
export const plainText = (text: string) => (isHtml(text) ? textLines(toBlocks(text)).join('\n').trim() : text)

/** A text for a channel without HTML. What was typed there is no HTML, however it begins. */
export const unformatted = (text: string) =>
  /^<(p|ul|ol|blockquote)>/.test(text) && isSimple(text) ? plainText(text) : text
