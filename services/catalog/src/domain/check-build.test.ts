import { describe, expect, test } from 'vitest'

import { checkBuildFields, isAgentName, isBuildId, isRegistry } from './check-build.ts'

describe('an agent name', () => {
  test.each(['a', '0', 'a.b', 'a_b-c', 'x'.repeat(63)])('%s is valid', (name) =>
    expect(isAgentName(name)).toBe(true),
  )
  test.each(['', 'A', '-a', 'a-', '.a', 'a.', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(64)])(
    '%j is invalid',
    (name) => expect(isAgentName(name)).toBe(false),
  )
})

describe('a build id', () => {
  test.each(['a', '_', 'v1.0.0', 'A-b_c.d', 'x'.repeat(128)])('%s is valid', (id) =>
    expect(isBuildId(id)).toBe(true),
  )
  test.each(['', '-a', '.a', 'a/b', 'a:b', 'a b', 'a\n', 'x'.repeat(129)])('%j is invalid', (id) =>
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
  ])('%s is valid', (registry) => expect(isRegistry(registry)).toBe(true))
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
  ])('%j is invalid', (registry) => expect(isRegistry(registry)).toBe(false))
})

describe('the size of a string', () => {
  const build = {
    name: 'bot',
    buildId: 'b1',
    registry: 'r.example',
    specContent: 'ä'.repeat(50),
    readme: 'ä'.repeat(100),
  }
  const limits = { specBytes: 100, readmeBytes: 200 }

  test('is counted in bytes, and can be equal to the limit', () => {
    expect(() => checkBuildFields(build, limits)).not.toThrow()
  })

  test.each([
    ['spec_content', { ...build, specContent: `${build.specContent}.` }, 100],
    ['readme', { ...build, readme: `${build.readme}.` }, 200],
  ])('%s past the limit is rejected with its name and the limit', (field, larger, bytes) => {
    expect(() => checkBuildFields(larger, limits)).toThrow(
      expect.objectContaining({
        reason: 'too_large',
        violations: [{ field, description: `must not be larger than ${bytes} bytes` }],
      }),
    )
  })
})
