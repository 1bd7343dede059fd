/** Placeholders, statements and comments of templates. A placeholder may contain braces in quotes. */
const COMPLETE = /\{\{(?:[^{}"']|"[^"]*"|'[^']*')*\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g

/**
 * The names of variables with a brace too few, such as `{first_name}}`, once each. The server warns of them in the same way
 * when a sequence starts.
 */
export function halfWritten(text: string, isVariable: (name: string) => boolean): string[] {
  // What is in `{% raw %}` is meant as it is written.
  if (text.includes('endraw')) return []
  const found = new Set<string>()
  for (const plain of text.replaceAll('&nbsp;', ' ').split(COMPLETE)) {
    // Each piece before a `}` ends with the name, if there is one.
    for (const piece of plain.split('}').slice(0, -1)) {
      const [name] = /[\w.]+$/.exec(piece.trimEnd()) ?? []
      if (name && isVariable(name)) found.add(name)
    }
  }
  return [...found]
}
