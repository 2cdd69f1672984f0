import type { FieldProblem } from './environment/collisions.ts'
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import type { ProviderTable, SelfHostedProvider } from './providers.ts'
import { checkShape } from './shape/check-shape.ts'
import { text } from './shape/parts.ts'
import type { ObjectShape, Shape } from './shape/shape.ts'

/**
 * The fields of a self-hosted provider's row that an operator may change, e.g. its image or user.
 */
export type ProviderOverride = Partial<Omit<SelfHostedProvider, 'kind' | 'section' | 'name'>>

const id: Shape = { kind: 'integer', about: 'A numeric id.', min: 0, max: 2 ** 31 - 1 }
const port: Shape = { kind: 'integer', about: 'A port.', min: 1, max: 65_535 }
const texts: Shape = { kind: 'list', about: 'Strings.', of: text('A string.') }
const textMap: Shape = { kind: 'map', about: 'Strings by name.', of: text('A string.') }
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
    dataPath: text('The directory of its data.'),
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
 * Applies an operator's changes, by provider name, to the table. Throws an error that lists every
 * unknown provider, unknown field and value of the wrong type.
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
      `${field}: ${message.startsWith('unknown key') ? 'is not a field of a provider' : message}`,
    )
  }
  for (const [name, change] of Object.entries(overrides)) {
    if (table.some((entry) => entry.kind === 'self-hosted' && entry.name === name)) {
      checkShape(change, row, name, report)
      nullsIn(change, name, report)
    } else problems.push(`there is no self-hosted provider named ${JSON.stringify(name)}`)
  }
  if (problems.length > 0) throw new Error(problems.join('; '))
  return new Map(Object.entries(overrides as Record<string, JsonObject & ProviderOverride>))
}

// A spec file may have keys without a value, but an override must not.
function nullsIn(value: JsonValue, field: string, report: (problem: FieldProblem) => void): void {
  if (value === null) report({ field, message: 'must have a value' })
  else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) nullsIn(member, `${field}.${key}`, report)
  }
}
