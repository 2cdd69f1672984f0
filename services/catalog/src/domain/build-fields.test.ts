import { describe, expect, test } from 'vitest'

import { isAgentName, isBuildId, isRegistry } from './build-fields.ts'

describe('an agent name', () => {
  test.each(['a', '0', 'a.b', 'a_b-c', 'x'.repeat(63)])('%s is good', (name) => expect(isAgentName(name)).toBe(true))
  test.each(['', 'A', '-a', 'a-', '.a', 'a.', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(64)])('%j is bad', (name) =>
    expect(isAgentName(name)).toBe(false),
  )
})

describe('a build id', () => {
  test.each(['a', '_', 'v1.0.0', 'A-b_c.d', 'x'.repeat(128)])('%s is good', (id) => expect(isBuildId(id)).toBe(true))
  test.each(['', '-a', '.a', 'a/b', 'a:b', 'a b', 'a\n', 'x'.repeat(129)])('%j is bad', (id) =>
    expect(isBuildId(id)).toBe(false),
  )
})

describe('a registry', () => {
  test.each([
    'r.example',
    'localhost:5000',
    'R.Example/team/agents',
    'https://r.example/',
    'http://10.0.0.1:80/x',
    'oci://r.example/a/b__c/d---e.f',
    '[::1]:5000',
  ])('%s is good', (registry) => expect(isRegistry(registry)).toBe(true))
  test.each([
    '',
    'https://',
    'ftp://r.example',
    'file:///etc/passwd',
    'r.example:0',
    'r.example:65536',
    'r.example:x',
    'r.example/A',
    'r.example//a',
    'r.example/../a',
    'r.example/a?b',
    'r.example/a#b',
    'user:password@r.example',
    '-r.example',
    'r..example',
    'r.example\n',
    'r.example/a:tag',
    `r.example/${'x'.repeat(600)}`,
  ])('%j is bad', (registry) => expect(isRegistry(registry)).toBe(false))
})
