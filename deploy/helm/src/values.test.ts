import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { chartValues, valuesTable, withTable } from './values-reference.ts'

const CHART = join(import.meta.dirname, '../slipway')
const values = await readFile(join(CHART, 'values.yaml'), 'utf8')

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
}
type Root = Schema & { readonly definitions: Readonly<Record<string, Schema>> }
const root = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as Root

function resolve({ allOf, ...schema }: Schema): Schema {
  if (allOf !== undefined) return Object.assign({}, ...allOf.toReversed().map(resolve)) as Schema
  const name = schema.$ref?.replace('#/definitions/', '')
  return name === undefined ? schema : (root.definitions[name] ?? {})
}

const documented = new Set(chartValues(values).map(({ path }) => path))

/** The paths of a schema's keys, as deep as values.yaml describes them. */
function schemaPaths(schema: Schema, prefix = ''): string[] {
  return Object.entries(resolve(schema).properties ?? {}).flatMap(([key, child]) => {
    const path = `${prefix}${key}`
    const below = documented.has(path) ? [] : schemaPaths(child, `${path}.`)
    return below.length > 0 ? below : [path]
  })
}

describe('values.schema.json', () => {
  test('has the keys of values.yaml', () => {
    const own = schemaPaths(root).filter((path) => path !== 'global')
    expect(own.toSorted()).toEqual([...documented].toSorted())
  })

  test('gives every key a type or its words, and takes no unknown keys', () => {
    const check = (schema: Schema, path: string): string[] => {
      const { type, enum: words, $ref, allOf, properties } = schema
      const problems = type === undefined && words === undefined && !$ref && !allOf ? [path] : []
      const below = Object.entries(properties ?? {}).flatMap(([key, child]) =>
        check(child, `${path}.${key}`),
      )
      return [...problems, ...below]
    }
    const all = [root, ...Object.values(root.definitions)].flatMap((schema) => check(schema, '$'))
    expect(all).toEqual([])
    expect(root.additionalProperties).toBe(false)
    expect(root.definitions['service']?.additionalProperties).toBe(false)
  })
})

test('the README lists the values as values.yaml describes them', async () => {
  const file = join(CHART, 'README.md')
  const readme = await readFile(file, 'utf8')
  // To update it: node deploy/helm/src/write-readme.ts
  expect(readme).toBe(withTable(readme, valuesTable(chartValues(values))))
})
