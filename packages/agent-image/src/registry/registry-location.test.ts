import { expect, it } from 'vitest'
import { parseRegistry } from './registry-location.ts'

it.each([
  ['127.0.0.1:5000', 'http://127.0.0.1:5000', '127.0.0.1:5000/', ''],
  ['127.0.0.1:5000/team/', 'http://127.0.0.1:5000', '127.0.0.1:5000/team/', 'team/'],
  ['registry.example.com/a/b', 'https://registry.example.com', 'registry.example.com/a/b/', 'a/b/'],
  ['http://registry.lan:5000', 'http://registry.lan:5000', 'registry.lan:5000/', ''],
  ['oci://registry.example', 'https://registry.example', 'registry.example/', ''],
  ['Registry.Example:443/a', 'https://registry.example', 'registry.example/a/', 'a/'],
  ['http://registry.lan:443', 'http://registry.lan:443', 'registry.lan/', ''],
  ['docker.io/team', 'https://registry-1.docker.io', 'docker.io/team/', 'team/'],
  ['127.registry.example', 'https://127.registry.example', '127.registry.example/', ''],
  ['[0::1]:5000', 'http://[::1]:5000', '[::1]:5000/', ''],
  ['https://localhost:5001', 'https://localhost:5001', 'localhost:5001/', ''],
])('parses %s', (text, origin, prefix, path) => {
  expect(parseRegistry(text)).toEqual({ origin, prefix, path })
})

it.each(['registry.example:0443', 'registry.example:65536/a', 'registry_1.example'])(
  'rejects the host of %j',
  (text) => {
    expect(() => parseRegistry(text)).toThrow('port (1 to 65535, without leading zeros)')
  },
)

it.each(['', 'a b', 'ftp://registry.example', 'registry.example/Team', 'registry.example/a?b'])(
  'rejects %j',
  (text) => {
    expect(() => parseRegistry(text)).toThrow('is not a registry')
  },
)
