import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('the generated files are those of the API documents', () => {
  const script = new URL('../scripts/generate.mjs', import.meta.url).pathname
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})
