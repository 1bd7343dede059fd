/** The text or HTML of a mail without the mail that it quotes below. */
export type Split = { shown: string; isQuoting: boolean; hasImages: boolean }

/** Longer lines introduce no quotation. */
const INTRODUCTION = 300

const introduces = (text: string) => {
  const trimmed = text.trim()
  return trimmed.length > 0 && trimmed.length < INTRODUCTION && trimmed.endsWith(':')
}

export function splitText(text: string): Split {
  const whole = { shown: text, isQuoting: false, hasImages: false }
  const lines = text.split('\n')
  const forwarded = lines.findIndex((line) => /^\s*-{2,} ?original message ?-{2,}\s*$/i.test(line))
  let from = lines.length
  while (from > 0 && (/^\s*>/.test(lines[from - 1]) || lines[from - 1].trim() === '')) from -= 1
  const isQuoting = lines.slice(from).some((line) => /^\s*>/.test(line))
  if (forwarded > 0) from = forwarded
  else if (!isQuoting) return whole
  else if (from > 0 && introduces(lines[from - 1])) {
    from -= 1
    // "On Tuesday, Ada Example <ada@example.com>" and "wrote:" may be on two lines.
    if (from > 0 && lines[from].trim().length < 10 && lines[from - 1].trim()) from -= 1
  }
  const shown = lines.slice(0, from).join('\n').trimEnd()
  return shown ? { ...whole, shown, isQuoting: true } : whole
}

export function splitHtml(html: string): Split {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const hasImages = body.querySelector('img') !== null
  const whole = { shown: html, isQuoting: false, hasImages }
  const quote = [...body.querySelectorAll('blockquote')].find((one) => {
    const after = body.ownerDocument.createRange()
    after.setStartAfter(one)
    after.setEndAfter(body.lastChild ?? one)
    return after.toString().trim() === ''
  })
  if (!quote) return whole
  let before = quote.previousSibling
  while (before && !before.textContent?.trim()) before = before.previousSibling
  if (before && introduces(before.textContent ?? '')) before.remove()
  quote.remove()
  if (!body.textContent?.trim()) return whole
  return { shown: new XMLSerializer().serializeToString(body), isQuoting: true, hasImages }
}
