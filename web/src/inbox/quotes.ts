/** The HTML of a mail without the mail that it quotes below. */
export type Split = { shown: string; isQuoting: boolean; hasImages: boolean }

/** Longer lines introduce no quotation. */
const INTRODUCTION = 300

const introduces = (text: string) => {
  const trimmed = text.trim()
  return trimmed.length > 0 && trimmed.length < INTRODUCTION && trimmed.endsWith(':')
}

type Image = { address: string; content: string | null }

/** The address of an image that the frame of the mail does not load. */
const addressOf = (image: Element) => image.getAttribute('data-src') ?? image.getAttribute('src') ?? ''

const imagesOf = (body: Element) => [...body.querySelectorAll('img')].filter((one) => /^https?:/i.test(addressOf(one)))

/** The addresses of images that came with the mail, such as `cid:logo@example.com`. */
export function embeddedIn(html: string): string[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const addresses = [...body.querySelectorAll('img')].map(addressOf).filter((one) => /^cid:/i.test(one))
  return [...new Set(addresses)]
}

/** Characters of all images together. A mail can show one image thousands of times, and the page holds each of them. */
const LONGEST_IMAGES = 40_000_000

/** The HTML with the images that have been loaded, as many as fit. */
export function withImages(html: string, images: Image[]): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const contents = new Map(images.map((one) => [one.address, one.content]))
  let left = LONGEST_IMAGES
  for (const image of body.querySelectorAll('img')) {
    const content = contents.get(addressOf(image))
    if (!content || content.length > left) continue
    left -= content.length
    image.setAttribute('src', content)
  }
  return new XMLSerializer().serializeToString(body)
}

export function splitHtml(html: string): Split {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const hasImages = imagesOf(body).length > 0
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
