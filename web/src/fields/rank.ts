const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** How well a name fits what was typed; the best is 0. */
function rankOf(name: string, typed: string): number {
  if (name === typed) return 0
  if (name.startsWith(typed)) return 1
  return name.split(/[\s-]+/).some((word) => word.startsWith(typed)) ? 2 : 3
}

/** Items by how well their names fit what was typed: the same name, one that begins with it, one with such a word, others. */
export function ranked<T>(items: T[], typed: string, nameOf: (item: T) => string): T[] {
  const wanted = plain(typed)
  if (!wanted) return items
  const ranks = new Map(items.map((one) => [one, rankOf(plain(nameOf(one)), wanted)]))
  return [...items].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
}
