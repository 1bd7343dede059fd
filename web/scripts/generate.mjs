// Makes src/generated from the API documents: types by openapi-typescript, and the table of fields.
// With --check it writes nothing and fails if the files are out of date.
import { readFile, writeFile } from 'node:fs/promises'
import openapiTypescript, { astToString } from 'openapi-typescript'

const web = new URL('..', import.meta.url)
const api = JSON.parse(await readFile(new URL('../openapi.json', web), 'utf8'))
const dashboard = JSON.parse(await readFile(new URL('../openapi-dashboard.json', web), 'utf8'))

const HEAD = '// Made by `npm run generate` from the API documents. Do not edit.\n'

/** The fields of the records that have lists, in the order of forms and tables. */
function tables(document) {
  const found = {}
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const fields = Object.entries(schema.properties ?? {})
      .filter(([, member]) => member['x-order'])
      .sort(([, one], [, other]) => one['x-order'] - other['x-order'])
      .map(([key, member]) => fieldOf(key, member))
    if (schema['x-scope'] && fields.length) found[name] = fields
  }
  return found
}

function fieldOf(key, member) {
  const types = [member.type].flat()
  const field = { key, label: member['x-label'], type: member['x-control'] }
  if (member['x-sort']) field.sort = true
  field.filter = member['x-filter'] ?? false
  if (member.readOnly) field.readonly = true
  if (!types.includes('null') && !types.includes('array')) field.required = true
  if (member.enum) field.choices = member.enum.filter((word) => word !== null)
  return field
}

/** The choices of every field that has some, by schema and member, in the server's order. */
function choices(document) {
  const found = {}
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (schema.additionalProperties === false) continue
    const chosen = membersOf(schema)
      .map(([key, member]) => [key, (member.enum ?? member.items?.enum)?.filter((word) => word !== null)])
      .filter(([, words]) => words)
    if (chosen.length) found[name] = Object.fromEntries(chosen)
  }
  return found
}

/** The members of a schema, and those of the items of its lists as `stages.color`. */
function membersOf(schema) {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => [
    [key, member],
    ...Object.entries(member.items?.properties ?? {}).map(([inner, one]) => [`${key}.${inner}`, one]),
  ])
}

/** The labels of all members of a step of a sequence. */
function stepLabels() {
  const step = api.components.schemas.WholeSequence.properties.steps.items.properties
  return Object.fromEntries(Object.entries(step).map(([key, member]) => [key, member['x-label']]))
}

/** The smallest plan that includes an operation with this scope. */
function plans() {
  const order = api.components.schemas.Me.properties.workspace.properties.plan.enum
  const found = {}
  for (const operation of Object.values(api.paths).flatMap((path) => Object.values(path))) {
    const scope = operation['x-required-scope']
    if (!scope?.includes(':') || scope === 'any:read' || operation['x-or-scope']) continue
    const before = found[scope]
    const plan = operation['x-plan']
    if (!before || order.indexOf(plan) < order.indexOf(before)) found[scope] = plan
  }
  return { order, byScope: Object.fromEntries(Object.entries(found).sort()) }
}

function variables() {
  const members = Object.values(api.components.schemas.Contact.properties)
  const own = members.map((member) => member['x-template-variable']).filter(Boolean)
  return [...own, ...api['x-template-variables']]
}

const constant = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()

/** One constant per table, so that a screen loads only those that it uses. */
function fieldTable() {
  const { order, byScope } = plans()
  const parts = {
    ...Object.fromEntries(Object.entries(tables(api)).map(([name, fields]) => [`${constant(name)}_FIELDS`, fields])),
    ...Object.fromEntries(Object.entries(choices(api)).map(([name, words]) => [`${constant(name)}_CHOICES`, words])),
    STEP_LABELS: stepLabels(),
    PLANS: order,
    PLAN_OF_SCOPE: byScope,
    TEMPLATE_VARIABLES: variables(),
  }
  const text = Object.entries(parts).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const\n`,
  )
  return [HEAD, ...text].join('\n')
}

/** A filter is given once or several times; the dashboard gives most of them once. */
for (const operation of Object.values(api.paths).flatMap((path) => Object.values(path)))
  for (const parameter of operation.parameters ?? [])
    if (parameter['x-operators']) parameter.schema = { oneOf: [{ type: 'string' }, parameter.schema] }
for (const document of [api, dashboard])
  for (const name of ['or', 'and', 'not.or', 'not.and']) {
    const parameter = document.components.parameters[name]
    parameter.schema = { oneOf: [{ type: 'string' }, parameter.schema] }
  }

const types = async (document) =>
  `${HEAD}\n${astToString(await openapiTypescript(document, { defaultNonNullable: false, emptyObjectsUnknown: true }))}`

const files = {
  'api.d.ts': await types(api),
  'dashboard.d.ts': await types(dashboard),
  'fields.ts': fieldTable(),
}

let stale = false
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`src/generated/${name}`, web)
  if (!process.argv.includes('--check')) {
    await writeFile(file, text)
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`src/generated/${name} is out of date: npm run generate`)
    stale = true
  }
}
if (stale) process.exit(1)
