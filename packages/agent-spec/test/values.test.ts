import { describe, expect, test } from 'vitest'

import type { JsonValue } from '../src/index.ts'
import { prepare, specOf } from './support/fixtures.ts'

const STORE = `agent: { image: a:1, port: 80 }
knowledge: { docs: { provider: postgres, persistent: true } }`

const PATH_PROBLEM = 'must start with /, have at most 2048 characters and no control characters'

function problemsOf(yaml: string, overrides: Record<string, JsonValue> = {}): string[] {
  return prepare(specOf(yaml), { overrides }).problems
}

describe('rejects an override of', () => {
  test.each<[string, JsonValue, string]>([
    ['agent.environment.X', 'a \udfff', 'must be a string'],
    ['agent.environment.X', Infinity, 'must be a string'],
    ['agent.environment.X', 'a \0', 'must be a string'],
    ['agent.healthcheck.path', '/up\r\nX-Other: 1', PATH_PROBLEM],
    ['agent.healthcheck.path', '/\ud800', PATH_PROBLEM],
    ['knowledge.docs.storage.mount_path', '/data/../etc', 'must be an absolute path'],
    ['knowledge.docs.storage.mount_path', '/..', 'must be an absolute path'],
    ['knowledge.docs.storage.mount_path', '/data/.', 'must be an absolute path'],
    ['knowledge.docs.storage.mount_path', '/data\n', 'must be an absolute path'],
    ['agent.healthcheck.command', ['run', '\0'], 'must be a non-empty list of strings'],
    ['agent.replicas', -Infinity, 'must be a whole number from 0 to 100'],
  ])('%s: %j', (path, value, problem) => {
    const overrides = {
      ...(path.endsWith('check.path') && { 'agent.healthcheck': { path: '/up' } }),
      [path]: value,
    }
    expect(problemsOf(STORE, overrides)).toEqual([`overrides.${path}: ${problem}`])
  })

  test('accepts values that only look like these', () => {
    const overrides = {
      'agent.environment.X': 'a \u{1f600}',
      'agent.healthcheck': { path: '/up/../down?a=ü' },
      'knowledge.docs.storage': { mount_path: '/data/..etc/.hidden' },
    }
    expect(problemsOf(STORE, overrides)).toEqual([])
  })
})

test('rejects a healthcheck path of a spec that a probe could not request', () => {
  const yaml = String.raw`agent: { image: a:1, port: 80, healthcheck: { path: "/a\r\nb" } }`
  expect(problemsOf(yaml)).toEqual([`agent.healthcheck.path: ${PATH_PROBLEM}`])
})
