import { expect, test } from 'vitest'

import { isLocalRegistry, isRealmOf, parseRegistryRealms, registryName } from './registry.ts'

test.each([
  ['Registry.Example:443', 'registry.example'],
  ['registry.example:80', 'registry.example:80'],
  ['index.docker.io', 'docker.io'],
  ['[0:0::1]:5000', '[::1]:5000'],
  ['0x7f.1', '127.0.0.1'],
  ['registry.example:0443', undefined],
  ['registry.example:65536', undefined],
  ['registry.example.', undefined],
  ['user@registry.example', undefined],
  ['registry.example/a', undefined],
  ['', undefined],
])('the name of %s is %s', (host, name) => {
  expect(registryName(host)).toBe(name)
})

test.each([
  ['localhost:5000', true],
  ['127.0.0.1', true],
  ['[::1]:5000', true],
  ['127.evil.example', false],
  ['localhost.example', false],
])('%s is this machine: %s', (registry, isLocal) => {
  expect(isLocalRegistry(registry)).toBe(isLocal)
})

const listed = parseRegistryRealms([
  'Registry.Example:443=https://auth.example',
  'registry.example=https://auth.example:8443',
])

test.each([
  ['https://registry.example', 'https://registry.example/token', true],
  ['https://registry.example', 'https://registry.example:443/token', true],
  ['https://registry.example', 'https://auth.example/token?a=b', true],
  ['https://registry.example', 'https://auth.example:8443/token', true],
  ['https://registry.example', 'http://auth.example/token', false],
  ['https://registry.example', 'http://registry.example/token', false],
  ['https://registry.example', 'https://registry.example:8443/token', false],
  ['https://registry.example', 'https://auth.example.evil.example/token', false],
  ['https://registry.example:5000', 'https://auth.example/token', false],
  ['https://registry-1.docker.io', 'https://auth.docker.io/token', true],
  ['https://registry.gitlab.com', 'https://gitlab.com/jwt/auth', true],
  ['https://registry.gitlab.com', 'https://auth.docker.io/token', false],
])('%s may ask for its login at %s: %s', (origin, realm, isAllowed) => {
  expect(isRealmOf(origin, new URL(realm), listed)).toBe(isAllowed)
})

test.each([
  'registry.example',
  'registry.example=auth.example',
  'registry.example=https://auth.example/token',
  'registry.example=ftp://auth.example',
  'registry.example:0=https://auth.example',
  '=https://auth.example',
])('%j is not a realm of a registry', (entry) => {
  expect(() => parseRegistryRealms([entry])).toThrow(`${entry} must be a registry and the origin`)
})
