import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { defaultProviders } from '@slipway/agent-spec'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { renderText } from './support/render.ts'

// A name that the chart doesn't know, in each object that values can have: Helm refuses all of them
// except in maps whose names are someone else's.

const CHART = resolve(import.meta.dirname, '../slipway')
const TYPO = 'tpyo'

/** Why an object takes any name, by the end of its path. */
const OPEN: readonly (readonly [path: RegExp, reason: string])[] = [
  [/\/(labels|podLabels|matchLabels|nodeSelector)$/, 'names of labels'],
  [/\/(annotations|podAnnotations)$/, 'names of annotations'],
  [/\/environment$/, 'names of variables'],
  [/^\/agents\/accepted\/podFields$/, 'fields that webhooks of the cluster add'],
  [/\/extraVolumes\/0\/[a-zA-Z]+$/, 'fields of a kind of volume, which the API server knows'],
  [/^\/modelPrices\/providers$/, 'names of providers'],
  [/^\/global$/, 'values of a parent chart; others fail in a check of the templates'],
]

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
}

let definitions: Readonly<Record<string, Schema>>
let root: Schema
const directory = mkdtempSync(join(tmpdir(), 'slipway-typos-'))
beforeAll(async () => {
  root = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as Schema
  definitions = (root as { readonly definitions: typeof definitions }).definitions
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Values with an entry in each list and map, and a typo in each object. Notes the objects. */
function planted(schema: Schema, path: string, objects: string[]): unknown {
  const { $ref, allOf, type, properties, patternProperties, additionalProperties, items } = schema
  const one = $ref === undefined ? allOf?.find((each) => each.$ref !== undefined) : undefined
  if ($ref !== undefined)
    return planted(definitions[$ref.replace('#/definitions/', '')] ?? {}, path, objects)
  if (one !== undefined) return planted(one, path, objects)
  if (items !== undefined) return [planted(items, `${path}/0`, objects)]
  if (![type].flat().includes('object')) return 'x'
  objects.push(path)
  const open = typeof additionalProperties === 'object' ? { any: additionalProperties } : {}
  const matching = Object.entries(patternProperties ?? {}).map(([pattern, child]) => {
    const [key = ''] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })
    return [key, child] as const
  })
  const members = [...Object.entries({ ...properties, ...open }), ...matching]
  const values = members.map(([key, child]) => [key, planted(child, `${path}/${key}`, objects)])
  return { ...Object.fromEntries(values), [TYPO]: 'x' }
}

test('Helm refuses a name that the chart does not know, wherever it stands', async () => {
  const objects: string[] = []
  const file = join(directory, 'values.json')
  writeFileSync(file, JSON.stringify(planted(root, '', objects)))
  const refusal = await renderText([file]).then(
    () => '',
    (error: unknown) => String((error as { stderr?: string }).stderr),
  )
  const refused = [...refusal.matchAll(/at '(.*)': additional properties (.*) not allowed/g)]
    .filter(([, , names = '']) => names.includes(`'${TYPO}'`))
    .map(([, path = '']) => path.replaceAll('~1', '/').replaceAll('~0', '~'))
  const isOpen = (path: string) => OPEN.some(([pattern]) => pattern.test(path))
  expect(refused.toSorted()).toEqual(objects.filter((path) => !isOpen(path)).toSorted())
  for (const [pattern] of OPEN)
    expect(objects.filter((path) => pattern.test(path) && !refused.includes(path))).not.toEqual([])
})

test('the chart knows the self-hosted providers', () => {
  const names = defaultProviders.filter(({ kind }) => kind === 'self-hosted')
  const { properties } = root.properties?.['agents'] ?? {}
  const [pattern = ''] = Object.keys(properties?.['providerOverrides']?.patternProperties ?? {})
  expect(pattern.slice(2, -2).split('|')).toEqual(names.map(({ name }) => name).toSorted())
})
