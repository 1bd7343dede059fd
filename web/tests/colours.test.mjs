// The colours of tokens.css have enough contrast in light and dark: text 4.5, marks and edges 3 (WCAG 2.2).
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const source = (path) => readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8')
const css = source('tokens.css')
const block = (selector) => {
  const begin = css.indexOf(`${selector} {`)
  assert.ok(begin >= 0, selector)
  const text = css.slice(begin, css.indexOf('\n}', begin))
  return Object.fromEntries(
    [...text.matchAll(/--r-([\w-]+): (#[0-9a-f]{3,8});/g)].map(([, name, value]) => [name, value]),
  )
}
const light = block(':root')
const THEMES = { light, dark: { ...light, ...block(':root[data-mantine-color-scheme="dark"]') } }

const channels = (hex) => {
  const full = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join('') : hex.slice(1)
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
}
const luminance = (hex) => {
  const [r, g, b] = channels(hex).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (one, other) => {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

const GROUNDS = ['canvas', 'sheet', 'sunken', 'raised', 'hover', 'press', 'selected']
const HUES = Array.from({ length: 10 }, (_, hue) => hue)

/** Foreground, grounds and the least ratio. */
const PAIRS = [
  ['ink', GROUNDS, 4.5],
  ['ink-2', GROUNDS, 4.5],
  ['ink-3', GROUNDS, 4.5],
  ['accent', GROUNDS, 4.5],
  ['accent', ['accent-soft'], 4.5],
  ['on-accent', ['accent'], 4.5],
  ['on-go', ['go', 'go-2'], 4.5],
  ['on-danger', ['danger-fill'], 4.5],
  ['danger', ['sheet', 'sunken', 'raised', 'hover', 'selected', 'danger-soft'], 4.5],
  ['ok', ['ok-soft'], 4.5],
  ['warn', ['warn-soft'], 4.5],
  ['bar-ink', ['bar', 'bar-hover'], 4.5],
  ['bar-2', ['bar'], 4.5],
  ['bar-accent', ['bar', 'bar-hover'], 4.5],
  ['edge', ['sheet', 'sunken', 'raised', 'hover', 'selected'], 3],
  ['signal', ['canvas', 'sheet', 'sunken', 'raised', 'hover', 'selected'], 3],
  ...['ok', 'warn', 'blue', 'violet', 'rose'].map((ring) => [ring, ['sheet', 'hover', 'selected'], 3]),
  ...HUES.map((hue) => [`b${hue}`, [`a${hue}`], 4.5]),
]

for (const [theme, tokens] of Object.entries(THEMES)) {
  test(`the ${theme} colours have enough contrast`, () => {
    const wrong = []
    for (const [front, grounds, least] of PAIRS)
      for (const ground of grounds) {
        assert.ok(tokens[front] && tokens[ground], `${front} on ${ground}`)
        const ratio = contrast(tokens[front], tokens[ground])
        if (ratio < least) wrong.push(`${front} on ${ground}: ${ratio.toFixed(2)}, not ${least}`)
      }
    for (const hue of HUES) {
      const ratio = contrast('#ffffff', tokens[`m${hue}`])
      if (ratio < 4.5) wrong.push(`white on m${hue}: ${ratio.toFixed(2)}`)
    }
    assert.deepEqual(wrong, [])
  })
}

test('colours are written in tokens.css only', () => {
  // Colours that users choose, and those of a mail, whose frame does not see the tokens.
  const others = ['tokens.css', 'theme.ts', 'inbox/Mail.tsx', 'settings/Tags.tsx', 'settings/Stages.tsx']
  const files = readdirSync(new URL('../src', import.meta.url), { recursive: true }).filter(
    (path) => /\.(tsx?|css)$/.test(path) && !path.startsWith('generated') && !others.includes(path),
  )
  const found = files.flatMap((path) =>
    [...source(path).matchAll(/#[0-9a-f]{6}\b/gi)].map(([hex]) => `${path}: ${hex}`),
  )
  assert.deepEqual(found, [])
})

test('the styles of every component of the library are there', () => {
  const imported = new Set([...source('mantine.css').matchAll(/styles\/([\w-]+)\.css/g)].map(([, name]) => name))
  const styles = new URL('../node_modules/@mantine/core/styles/', import.meta.url)
  const files = readdirSync(new URL('../src', import.meta.url), { recursive: true }).filter((path) =>
    path.endsWith('.tsx'),
  )
  const missing = new Set()
  for (const path of files)
    for (const [, names] of source(path).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names.split(',').map((one) => one.trim().split(' ')[0]))
        if (existsSync(new URL(`${name}.css`, styles)) && !imported.has(name)) missing.add(name)
  assert.deepEqual([...missing], [])
})

test('every letter has one font, and every font its licence', () => {
  const fonts = [...source('fonts.css').matchAll(/fonts\/([\w.-]+\.woff2)/g)].map(([, name]) => name)
  const stored = readdirSync(new URL('../src/fonts', import.meta.url))
  assert.deepEqual(fonts.sort(), stored.filter((name) => name.endsWith('.woff2')).sort())
  assert.match(source('fonts/OFL.txt'), /SIL Open Font License/i)
})
