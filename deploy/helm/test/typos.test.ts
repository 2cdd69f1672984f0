import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { defaultProviders } from '@slipway/agent-spec'
import { afterAll, expect, test } from 'vitest'

import { renderText } from './support/render.ts'
import { membersOf, resolved, valuesSchema, type Schema } from './support/values-schema.ts'

// A name that the chart doesn't know, in each object that values can have: Helm refuses all of them
// except in maps whose names are someone else's.

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

const directory = mkdtempSync(join(tmpdir(), 'slipway-typos-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Values with an entry in each list and map, and a typo in each object. Notes the objects. */
function planted(schema: Schema, path: string, objects: string[]): unknown {
  const { type, items, ...rest } = resolved(schema)
  if (items !== undefined) return [planted(items, `${path}/0`, objects)]
  if (![type].flat().includes('object')) return 'x'
  objects.push(path)
  const values = membersOf(rest).map(([name, member]) => [
    name,
    planted(member, `${path}/${name}`, objects),
  ])
  return { ...Object.fromEntries(values), [TYPO]: 'x' }
}

test('Helm refuses a name that the chart does not know, wherever it stands', async () => {
  const objects: string[] = []
  const file = join(directory, 'values.json')
  writeFileSync(file, JSON.stringify(planted(valuesSchema, '', objects)))
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
  const { properties } = valuesSchema.properties?.['agents'] ?? {}
  const [pattern = ''] = Object.keys(properties?.['providerOverrides']?.patternProperties ?? {})
  expect(pattern.slice(2, -2).split('|')).toEqual(names.map(({ name }) => name).toSorted())
})
