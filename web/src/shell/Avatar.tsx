const HUES = 10

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

const hueOf = (name: string) => (hash(name.toLowerCase()) >>> 8) % HUES

/** Scripts whose capitals stand side by side. */
const ALPHABET = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{N}]/u

/** The first letters of the first and of the last word; one for companies and in scripts such as Arabic or Chinese. */
export function initialsOf(name: string, isCompany = false): string {
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}].*/u.exec(word)?.[0] ?? [])
  const first = ([word]: string[]) => [...(word ?? '')][0]?.toUpperCase() ?? ''
  if (words.length === 0) return ''
  if (isCompany || words.length === 1 || !ALPHABET.test(words[0])) return first(words)
  return first(words) + first(words.slice(-1))
}

type Props = { name: string; company?: boolean; size?: 18 | 22 | 28 | 36 | 52 }

/**
 * A person as a circle, a company as a square, with initials. It is shown beside a written name and adds nothing for screen
 * readers. The letters are drawn by the style sheet, so that a copied cell holds the name alone.
 */
export function Avatar({ name, company, size = 22 }: Props) {
  return (
    <span
      aria-hidden
      className="avatar"
      data-size={size}
      data-company={company || undefined}
      data-hue={hueOf(name)}
      data-initials={initialsOf(name, company)}
    />
  )
}

/** A written name with its mark. */
export function Named({ name, company, size = 22 }: Props) {
  if (!name) return null
  return (
    <span className="named">
      <Avatar name={name} company={company} size={size} />
      <span className="cut">{name}</span>
    </span>
  )
}
