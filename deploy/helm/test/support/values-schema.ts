import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import fc from 'fast-check'

/** The parts of JSON Schema that values.schema.json uses and tests read. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
}

const FILE = join(resolve(import.meta.dirname, '../../slipway'), 'values.schema.json')

/** The schema of the chart's values. */
export const valuesSchema = JSON.parse(readFileSync(FILE, 'utf8')) as Schema & {
  readonly definitions: Readonly<Record<string, Schema>>
}

/** Returns what a schema refers to, or its first part. */
export function resolved(schema: Schema): Schema {
  const [part] = schema.allOf ?? []
  if (part !== undefined) return resolved(part)
  if (schema.$ref === undefined) return schema
  return resolved(valuesSchema.definitions[schema.$ref.replace('#/definitions/', '')] ?? {})
}

/** Returns the schemas of an object's members, with a name for each pattern and for any other. */
export function membersOf(schema: Schema): readonly (readonly [name: string, member: Schema])[] {
  const { properties, patternProperties, additionalProperties } = schema
  const named = Object.entries(patternProperties ?? {}).map(([pattern, member]) => {
    const names = fc.stringMatching(new RegExp(pattern))
    const [name = ''] = fc.sample(names, { numRuns: 1, seed: 1 })
    return [name, member] as const
  })
  const others = typeof additionalProperties === 'object' ? { any: additionalProperties } : {}
  return [...Object.entries({ ...properties, ...others }), ...named]
}
