/** A text with `added` at the place of the cursor, which then is behind it. */
export function insertAt(area: HTMLTextAreaElement | HTMLInputElement | null, text: string, added: string): string {
  const at = area?.selectionStart ?? text.length
  setTimeout(() => {
    area?.focus()
    area?.setSelectionRange(at + added.length, at + added.length)
  }, 0)
  return text.slice(0, at) + added + text.slice(area?.selectionEnd ?? at)
}

/** A text with a template as a paragraph of its own at the place of the cursor; at the end if the cursor was never in it. */
export function insertParagraph(area: HTMLTextAreaElement | null, text: string, added: string): string {
  const at = area?.selectionStart || text.length
  const end = Math.max(area?.selectionEnd ?? at, at)
  const [before, after] = [text.slice(0, at).trimEnd(), text.slice(end).trimStart()]
  const start = before ? `${before}\n\n` : ''
  const place = start.length + added.length
  setTimeout(() => {
    area?.focus()
    area?.setSelectionRange(place, place)
  }, 0)
  return start + added + (after ? `\n\n${after}` : '')
}
