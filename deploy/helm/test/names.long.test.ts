import { describe, expect, test } from 'vitest'

import type { ChartObject } from './support/objects.ts'
import { podsOf } from './support/objects.ts'
import { example, render, renderText, SHAPES } from './support/render.ts'

const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const SERVICE_NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
/** A StatefulSet labels its pods with its name, `-` and a hash of up to 10 characters. */
const LONGEST_STATEFUL_SET = 63 - 11

function badNames(objects: readonly ChartObject[]): string[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const { name, labels = {} } = metadata
    const problems = Object.entries({ ...labels, ...selectorOf(spec) })
      .filter(([, value]) => typeof value !== 'string' || !LABEL_VALUE.test(value))
      .map(([key, value]) => `${kind}/${name}: label ${key}: ${value}`)
    const isLong = name.length > (kind === 'StatefulSet' ? LONGEST_STATEFUL_SET : 253)
    const isBad = typeof name !== 'string' || (kind === 'Service' && !SERVICE_NAME.test(name))
    return isLong || isBad ? [...problems, `${kind}/${name}`] : problems
  })
}

function selectorOf(spec: unknown): object {
  const { selector } = (spec ?? {}) as { readonly selector?: { readonly matchLabels?: object } }
  return selector?.matchLabels ?? selector ?? {}
}

describe('names and labels are valid', () => {
  test.each([
    ['a long release', `${'long-name-'.repeat(5)}abc`, 'platform', []],
    ['a long namespace', 'acme', 'n'.repeat(63), []],
    ['a release with dots', 'acme.v2', 'platform', []],
    ['numbers', '123', '1e5', ['fullnameOverride=slipway']],
    ['a word of YAML', 'true', 'null', []],
    ['a long tag', 'acme', 'platform', [`image.tag=_v1.${'0'.repeat(56)}-.${'1'.repeat(60)}`]],
    ['another chart name', 'acme', 'platform', ['nameOverride=on']],
  ])('for %s', async (_what, name, namespace, sets) => {
    const objects = await render([example('laptop')], sets, { name, namespace })
    expect(badNames(objects)).toEqual([])
    const values = podsOf(objects, namespace).flatMap(({ containers, initContainers }) =>
      [...containers, ...initContainers].flatMap(({ env }) => env ?? []),
    )
    expect(values.filter(({ value }) => value !== undefined && typeof value !== 'string')).toEqual(
      [],
    )
  })
})

test('a name that begins with a digit fails and says what to do', async () => {
  const rendering = renderText([example('laptop')], [], { name: '1st', namespace: 'platform' })
  await expect(rendering).rejects.toThrow(
    'they would begin with "1st-slipway": set fullnameOverride, for example to slipway',
  )
})

test.each(SHAPES)('two renders of %s are the same', async (name) => {
  expect(await renderText([example(name)])).toBe(await renderText([example(name)]))
})

test('no two objects have the same name', async () => {
  const objects = await render(
    [example('laptop')],
    [
      'monitoring.serviceMonitor.enabled=true',
      'monitoring.prometheusRule.enabled=true',
      'catalog.autoscaling.enabled=true',
    ],
  )
  const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
  expect(names).toEqual([...new Set(names)])
})
