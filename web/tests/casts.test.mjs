import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'

const SRC = new URL('../src/', import.meta.url)

/** The type casts of a file, `as const` excepted: the line of each, and the line before it. */
function castsIn(name) {
  const text = readFileSync(new URL(name, SRC), 'utf8')
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const found = []
  const visit = (node) => {
    const cast = ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)
    if (cast || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push({ place: `${name}:${line + 1}`, before: lines[line - 1] ?? '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('types are not cast without a reason', () => {
  const files = readdirSync(SRC, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !/^generated/.test(name))
  assert.ok(files.length > 100)
  const casts = files.flatMap(castsIn)
  const silent = casts.filter(({ before }) => !before.includes('// A cast, because'))
  assert.deepEqual(silent, [], 'a comment above the cast begins with “A cast, because”')
  assert.ok(casts.length <= 10, `${casts.length} casts`)
})
