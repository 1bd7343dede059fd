/** Whether a text is one email address, as the server sees it. */
export const isAddress = (text: string) =>
  /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]",;:\\]+\.[^\s@<>()[\]",;:\\.]+$/.test(text)

/** The addresses in a text, as mail programs write them: `Ada Example <ada@example.com>, …`. Other words stay as they are. */
export function addressesIn(text: string): string[] {
  // A name in quotes may contain a comma.
  const parts = text
    .replace(/"[^"]*"/g, '')
    .split(/[,;\n\r\t]/)
    .map((part) => part.trim())
    .filter(Boolean)
  const hasNames = parts.some((part) => /<[^<>]+>/.test(part))
  return parts.flatMap((part) => {
    const inside = /<([^<>]+)>/.exec(part)?.[1].trim()
    if (inside) return inside
    const all = part.split(/\s+/)
    if (all.every((one) => one.includes('@'))) return all
    // The first half of a name such as `Example, Ada <ada@example.com>`.
    return hasNames && !part.includes('@') ? [] : part
  })
}

/** A list with further addresses, each once. */
export const withAddresses = (list: string[], more: string[]) =>
  [...list, ...more].filter((one, at, all) => all.findIndex((other) => same(one, other)) === at)

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Why a list of addresses can't be used, if one of them is none. */
export function problemWith(list: string[]): string | undefined {
  const wrong = list.filter((one) => !isAddress(one)).map((one) => `“${one}”`)
  if (wrong.length === 0) return undefined
  return wrong.length === 1
    ? `${wrong[0]} is not an email address. Correct or remove it`
    : `${wrong.join(', ')} are not email addresses. Correct or remove them`
}
