import type { FieldProblem } from './environment/collisions.ts'
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import type { ProviderTable, SelfHostedProvider } from './providers.ts'
import { checkShape } from './shape/check-shape.ts'
import { text } from './shape/parts.ts'
import type { ObjectShape, Shape } from './shape/shape.ts'

/**
 * What an operator may change in a self-hosted provider's row: pinned images, mirrors, another
 * user, a password.
 */
export type ProviderOverride = Partial<Omit<SelfHostedProvider, 'kind' | 'section' | 'name'>>

const id: Shape = { kind: 'integer', about: 'A numeric id.', min: 0, max: 2 ** 31 - 1 }
const port: Shape = { kind: 'integer', about: 'A port.', min: 1, max: 65_535 }
const texts: Shape = { kind: 'list', about: 'Texts.', of: text('One of them.') }
const textMap: Shape = { kind: 'map', about: 'Texts by name.', of: text('One of them.') }
const object = (fields: ObjectShape['fields'], rest: Partial<ObjectShape>): ObjectShape => ({
  kind: 'object',
  about: 'A part of a row.',
  fields,
  ...rest,
})

const row = object(
  {
    image: text('The image.'),
    ports: {
      kind: 'list',
      about: 'Ports.',
      of: object({ name: text('Its name.'), port }, { required: ['name', 'port'] }),
      minItems: 1,
    },
    dataPath: text('Where its data lies.'),
    prefix: text('Prefix of environment names.'),
    url: object(
      { scheme: text('URL scheme.'), port, user: text('User.'), database: text('Database.') },
      { required: ['scheme', 'port'] },
    ),
    probe: object(
      { path: text('HTTP path.'), command: texts },
      { exactlyOne: ['path', 'command'] },
    ),
    uid: id,
    gid: id,
    fsGroup: id,
    writablePaths: texts,
    environment: textMap,
    args: texts,
    persistentArgs: texts,
    password: object({ environment: textMap, args: texts }, { required: ['environment', 'args'] }),
    pullModel: object(
      { command: texts, modelVariable: text('Environment name of the model.') },
      { required: ['command', 'modelVariable'] },
    ),
    gpu: { kind: 'boolean', about: 'Runs on a GPU.' },
  } satisfies Record<keyof ProviderOverride, Shape>,
  {},
)

/**
 * The table with an operator's changes by provider name. Throws an error that names everything that
 * is no self-hosted provider, no field of one, or has the wrong type: a misspelt field would be
 * left out without a word.
 */
export function withProviderOverrides(table: ProviderTable, overrides: unknown): ProviderTable {
  const changes = checkedOverrides(table, overrides)
  return table.map((entry) => {
    const change = changes.get(entry.name)
    return entry.kind === 'self-hosted' && change ? { ...entry, ...change } : entry
  })
}

function checkedOverrides(
  table: ProviderTable,
  overrides: unknown,
): ReadonlyMap<string, ProviderOverride> {
  if (!isObject(overrides)) throw new Error('must be a JSON object of providers by name')
  const problems: string[] = []
  const report = ({ field, message }: FieldProblem): void => {
    problems.push(
      `${field}: ${message.startsWith('unknown key') ? 'is no field of a provider' : message}`,
    )
  }
  for (const [name, change] of Object.entries(overrides)) {
    if (table.some((entry) => entry.kind === 'self-hosted' && entry.name === name)) {
      checkShape(change, row, name, report)
      nullsIn(change, name, report)
    } else problems.push(`no self-hosted provider is called ${JSON.stringify(name)}`)
  }
  if (problems.length > 0) throw new Error(problems.join('; '))
  return new Map(Object.entries(overrides as Record<string, JsonObject & ProviderOverride>))
}

/** Where a spec file may have keys without a value, a row may not. */
function nullsIn(value: JsonValue, field: string, report: (problem: FieldProblem) => void): void {
  if (value === null) report({ field, message: 'must have a value' })
  else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) nullsIn(member, `${field}.${key}`, report)
  }
}
