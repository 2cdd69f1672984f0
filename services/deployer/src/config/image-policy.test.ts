import { expect, test } from 'vitest'

import { allowsImage } from '../domain/image-policy.ts'
import { closedPolicy, parseImagePolicy } from './image-policy.ts'

const ACME = '6f1f6f0e-3f0c-4f53-9f1c-0d6a1c1c2a3b'
const OTHER = '0c0c0c0c-3f0c-4f53-9f1c-0d6a1c1c2a3b'

const policy = parseImagePolicy(`
registries:
  - prefix: registry.example
  - {prefix: Registry.Example:443/acme, accounts: [${ACME}]}
  - {prefix: docker.io/acme, accounts: [${ACME}]}
  - {prefix: registry.example/platform, accounts: []}
  - {prefix: "plain.example:80/acme", accounts: [${ACME}], plain_http: true}
  - {prefix: "[fd00:0::1]:5000", accounts: [${ACME}]}
  - {prefix: "10.0.0.5:5000", accounts: [${ACME}]}
other_registries: refused
`)

test.each([
  ['registry.example/tools/x:1', true, true],
  ['registry.example/acme/x:1', true, false],
  ['registry.example/acme', true, false],
  ['registry.example:443/acme/x', true, false],
  ['REGISTRY.example/acme/x', true, false],
  ['registry.example/acme-tools/x', true, true],
  ['acme/x', true, false],
  ['index.docker.io/acme/x', true, false],
  ['registry-1.docker.io/acme/x', true, false],
  ['registry.example/platform/x', false, false],
  ['redis', false, false],
  ['registry.example:8443/x', false, false],
  ['registry.example:0443/acme/x', false, false],
  ['registry.example:00443/tools/x', false, false],
  ['registry.example:443000/tools/x', false, false],
  ['plain.example/acme/x', true, false],
  ['Plain.example:80/acme/x', true, false],
  ['plain.example:443/acme/x', true, false],
  ['registry.example:80/tools/x', false, false],
  ['[FD00::0001]:5000/x', true, false],
  ['10.5:5000/x', true, false],
  ['0xa.0.0.5:5000/x', true, false],
  ['registry.example/Not Valid', false, false],
])('%s is for its account: %s, for others: %s', (image, isOwn, isForeign) => {
  expect(allowsImage(policy, ACME, image)).toBe(isOwn)
  expect(allowsImage(policy, OTHER, image)).toBe(isForeign)
})

test('without rules, all images are allowed', () => {
  for (const text of ['', '# nothing yet', 'other_registries: allowed'])
    expect(allowsImage(parseImagePolicy(text), OTHER, 'redis')).toBe(true)
})

const rule = (text: string) => `registries: [{prefix: a.b, ${text}}]`

test.each([
  ['[]', 'the file: must be a mapping'],
  ['registry: []', 'the file: has the unknown key registry'],
  ['registries: {}', 'registries: must be a list'],
  ['registries: [1]', 'registries[0]: must be a mapping'],
  ['registries: [{}]', 'registries[0].prefix: must be a registry with or without a path'],
  ['registries: [{prefix: acme}]', 'registries[0].prefix: must be a registry'],
  ['registries: [{prefix: "https://a.b"}]', 'registries[0].prefix: must be a registry'],
  ['registries: [{prefix: "a.b:0443/c"}]', 'registries[0].prefix: must be a registry'],
  ['registries: [{prefix: "a.b/c:1"}]', 'registries[0].prefix: must be a registry'],
  ['registries: [{prefix: a.b}, {prefix: A.b/}]', 'registries: the prefix a.b occurs twice'],
  [rule('account: x'), 'registries[0]: has the unknown key account'],
  [rule('accounts: acme'), 'registries[0].accounts: must be a list'],
  [rule('accounts: [acme]'), 'registries[0].accounts: acme is not the id of an account'],
  [rule('pull_secret_file: x'), 'registries[0].pull_secret_file: must be an absolute path'],
  [rule('plain_http: 1'), 'registries[0].plain_http: must be true or false'],
  ['other_registries: none', 'other_registries: must be allowed or refused'],
])('%s is refused with a reason', (text, problem) => {
  expect(() => parseImagePolicy(text)).toThrow(problem)
})

test.each([
  ['other_registry: refused', ['redis']],
  ['other_registries: refuse', ['redis']],
  [rule('account: [x]'), ['a.b/x', 'redis']],
  [rule('accounts: [acme]'), ['a.b/x', 'redis']],
  ['registries: [{prefix: acme}]', ['acme/x', 'redis']],
  [`registries: [{prefix: a.b}, {prefix: a.b, accounts: [${ACME}]}]`, ['a.b/x', 'redis']],
])('what is wrong in %s opens nothing', (text, closed) => {
  const problems: string[] = []
  const read = parseImagePolicy(text, (problem) => problems.push(problem))
  for (const image of closed) expect(allowsImage(read, ACME, image)).toBe(false)
  expect(problems).toHaveLength(1)
})

test('valid rules count next to wrong ones, and without any, images are refused', () => {
  const text = `registries: [{prefix: acme}, {prefix: a.b, accounts: [${ACME}]}]`
  const read = parseImagePolicy(text, () => undefined)
  expect(allowsImage(read, ACME, 'a.b/x')).toBe(true)
  expect(allowsImage(read, OTHER, 'a.b/x')).toBe(false)
  expect(allowsImage(closedPolicy, ACME, 'a.b/x')).toBe(false)
})
