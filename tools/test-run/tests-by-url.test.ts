import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, resolve } from 'node:path'
import { expect, test } from 'vitest'

import { NEED_PROCESSES } from './tests-by-url.ts'

const CHECKOUT = resolve(import.meta.dirname, '../..')

/** What a test of an installation has: its URLs, its issuer, and its cluster. */
const GIVEN: readonly string[] = [
  'KUBECONFIG',
  'SLIPWAY_INGRESS',
  'SLIPWAY_ISSUER',
  'SLIPWAY_OTLP_URL',
  'SLIPWAY_REGISTRY',
  'SLIPWAY_URL',
]

/** The stack's variables that a file and the files that it imports read. */
function variablesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const own = [...text.matchAll(/\bfromStack\(\s*(['`])(.+?)\1/g)].map(([, , name = '']) => name)
  const imports = [...text.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )
  return [...own, ...imports.flatMap((each) => variablesOf(each, seen))]
}

test('tests of an installation by its URL read no other variables of the stack', () => {
  const all = globSync('test/{contract,e2e,faults}/**/*.test.ts', { cwd: CHECKOUT })
  const byUrl = all.filter((path) => !NEED_PROCESSES.some((glob) => matchesGlob(path, glob)))
  expect(byUrl).not.toEqual([])
  const problems = byUrl.flatMap((path) =>
    variablesOf(join(CHECKOUT, path))
      .filter((name) => !GIVEN.includes(name))
      .map((name) => `${path} needs ${name}: add it to NEED_PROCESSES`),
  )
  expect(problems).toEqual([])
})

test('the list of tests that need processes names existing files', () => {
  const missing = NEED_PROCESSES.filter((glob) => globSync(glob, { cwd: CHECKOUT }).length === 0)
  expect(missing).toEqual([])
})
