import { describe, expect, test } from 'vitest'

import type { JsonValue } from '../src/index.ts'
import { prepare, specOf } from './support/fixtures.ts'

const STORE = `agent: { image: a:1, port: 80 }
knowledge: { docs: { provider: postgres, persistent: true } }`

function problemsOf(yaml: string, overrides: Record<string, JsonValue> = {}): string[] {
  return prepare(specOf(yaml), { overrides }).problems
}

describe('values of overrides that nobody could use', () => {
  test.each<[string, JsonValue, string]>([
    ['agent.environment.X', 'a \udfff', 'must be a text'],
    ['agent.environment.X', Infinity, 'must be a text'],
    ['agent.environment.X', 'a \0', 'must be a text'],
    [
      'agent.healthcheck.path',
      '/up\r\nX-Other: 1',
      'must begin with / and have no control characters',
    ],
    ['agent.healthcheck.path', '/\ud800', 'must begin with / and have no control characters'],
    ['knowledge.docs.storage.mount_path', '/data/../etc', 'must be an absolute path'],
    ['knowledge.docs.storage.mount_path', '/..', 'must be an absolute path'],
    ['knowledge.docs.storage.mount_path', '/data/.', 'must be an absolute path'],
    ['knowledge.docs.storage.mount_path', '/data\n', 'must be an absolute path'],
    ['agent.healthcheck.command', ['run', '\0'], 'must be a list of words'],
    ['agent.replicas', -Infinity, 'must be a whole number from 0 to 100'],
  ])('%s: %j', (path, value, problem) => {
    const overrides = {
      ...(path.endsWith('check.path') && { 'agent.healthcheck': { path: '/up' } }),
      [path]: value,
    }
    expect(problemsOf(STORE, overrides)).toEqual([`overrides.${path}: ${problem}`])
  })

  test('stay apart from what only looks like them', () => {
    const overrides = {
      'agent.environment.X': 'a \u{1f600}',
      'agent.healthcheck': { path: '/up/../down?a=ü' },
      'knowledge.docs.storage': { mount_path: '/data/..etc/.hidden' },
    }
    expect(problemsOf(STORE, overrides)).toEqual([])
  })
})

test('a healthcheck of a spec has a path that a probe can ask for', () => {
  const yaml = String.raw`agent: { image: a:1, port: 80, healthcheck: { path: "/a\r\nb" } }`
  expect(problemsOf(yaml)).toEqual([
    'agent.healthcheck.path: must begin with / and have no control characters',
  ])
})
