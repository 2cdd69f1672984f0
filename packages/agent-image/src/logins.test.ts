import { expect, test } from 'vitest'
import { withoutLogins } from './logins.ts'

test.each([
  [
    '--index-url https://user:pw@pypi.example.com/simple',
    '--index-url https://pypi.example.com/simple',
  ],
  ['a @ git+https://ghp_token@github.com/a/b@v1', 'a @ git+https://github.com/a/b@v1'],
  ['"https://x:p%40w@[::1]:80/"', '"https://[::1]:80/"'],
  ['https://token:@a.example.com', 'https://a.example.com'],
  ['https://u:p@w@a.example.com/b', 'https://a.example.com/b'],
  ['https://user:secret@${HOST}/npm', 'https://${HOST}/npm'],
  ['https://u:p@日本.example', 'https://日本.example'],
  // Files are read as latin1, where `à` ends in a space that can't be broken.
  ['https://u:p\u00c3\u00a0ss@a.example', 'https://a.example'],
  ['https://user:$ecret@a.example', 'https://a.example'],
  ['https://user:%ecret@a.example', 'https://a.example'],
  ['https://user:${A}:secret@a.example', 'https://a.example'],
  ['https://user:secret:${A}@a.example', 'https://a.example'],
])('removes the login of %s', (text, plain) => expect(withoutLogins(text)).toBe(plain))

test.each([
  'git+ssh://git@github.com/a/b',
  'git+https://git@github.com/a/b',
  'https://${USER}:${TOKEN}@pypi.example.com/simple',
  'https://user:${TOKEN}@pypi.example.com/simple',
  'https://user:%TOKEN%@pypi.example.com/simple',
  'https://user:$NPM_TOKEN@npm.example.com',
  'postgres://app:pw@db/x',
  '"amqps://app:pw@queue.example"',
  'ssh://git:pw@example.com/a',
  'https://VssSessionToken@pkgs.dev.azure.com/a',
  'https://registry.npmjs.org/@scope/name/-/name-1.0.0.tgz',
  'https://example.com/a@b c@d',
  'https://example.com?mail=a@b.c',
])('leaves %s as it is', (text) => expect(withoutLogins(text)).toBe(text))
