// Names of variables with a brace too few: the same texts as in crates/crm/src/outreach/sequence/template/braces.rs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'

const source = readFileSync(new URL('../src/compose/braces.ts', import.meta.url), 'utf8')
const { outputText } = ts.transpileModule(source, {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
})
const { halfWritten } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`)

const KNOWN = ['first_name', 'last_name', 'title', 'company.name', 'sender.first_name', 'unsubscribe_url']
const isVariable = (name) => KNOWN.includes(name) || /^custom_data\.\w+$/.test(name)

test('names with a brace too few are found', () => {
  for (const [text, expected] of [
    ['Hello { first_name }, {last_name}}!', ['first_name', 'last_name']],
    ['Hello first_name }}', ['first_name']],
    [
      '{custom_data.level} {company.name} {sender.first_name} {unsubscribe_url}',
      ['custom_data.level', 'company.name', 'sender.first_name', 'unsubscribe_url'],
    ],
    ['{ title } and { title }', ['title']],
    ["{{ first_name }} {% if title %}{{ title }}{% endif %} {{ '{title}' }}", []],
    ['p{color:red} {} } { a b } title: {x} {{ first_name }}}', []],
    ['{{ first_name', []],
    ['{% raw %}{{ first_name }}{% endraw %}', []],
    // The server refuses these texts, and the fields show why.
    ['{{ first_name } and {{ title }}', ['first_name']],
    // A non-breaking space of a formatted text.
    ['<p>{&nbsp;first_name&nbsp;}</p>', ['first_name']],
  ])
    assert.deepEqual(halfWritten(text, isVariable), expected, text)
})
