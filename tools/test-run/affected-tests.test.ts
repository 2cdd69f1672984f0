import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { affectedTests, STACK_TESTS, workspaceFolders } from './affected-tests.ts'

const CHECKOUT = join(import.meta.dirname, '../..')
const FOLDERS = ['packages/shared', 'services/catalog', 'services/deployer']

test('lists only folders and tests that exist', () => {
  const named = STACK_TESTS.flatMap(([folder, tests]) => [folder, ...tests])
  expect(named.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([])
})

test('finds the folders that have tests', () => {
  expect(workspaceFolders(CHECKOUT)).toEqual(
    expect.arrayContaining(['packages/shared', 'services/catalog', 'deploy/local']),
  )
})

test.each([
  ['a unit test', ['services/catalog/src/domain/version.test.ts']],
  ['a guide', ['docs/guide/catalog.md']],
  ['nothing', []],
])('needs no stack for %s', (_what, changed) => {
  expect(affectedTests(changed, FOLDERS).needsStack).toBe(false)
})

test('runs a service’s own tests and those of the whole stack that cover it', () => {
  const path = 'services/catalog/src/domain/version.ts'
  const { related, exclude, needsStack } = affectedTests([path, 'README.md'], FOLDERS)
  expect(related).toEqual([path, ...related.filter((each) => each.startsWith('test/'))])
  expect(related).toContain('test/contract/catalog.test.ts')
  expect(exclude).toEqual(['packages/shared/test/**', 'services/deployer/test/**'])
  expect(needsStack).toBe(true)
})

test('runs the stack’s tests when only a contract or a manifest changed', () => {
  for (const path of ['proto/slipway/catalog/v1/agent.proto', 'deploy/kubernetes/x.yaml']) {
    expect(affectedTests([path], FOLDERS)).toMatchObject({
      related: ['test/e2e/lifecycle.test.ts'],
      needsStack: true,
    })
  }
})
