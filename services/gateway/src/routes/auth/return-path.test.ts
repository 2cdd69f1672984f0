import { expect, test } from 'vitest'

import { returnPath } from './return-path.ts'

test.each(['/', '/agents/alice/bot?tab=logs#end', '/a%2f%2fb', '/a//b', '/agents?q=%2F%2Fx'])(
  'keeps the path %j',
  (path) => {
    expect(returnPath(path)).toBe(path)
  },
)

test.each([
  undefined,
  '',
  'agents',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  '/a\r\nset-cookie: x=y',
  '/auth/sign-in',
  '/x/../auth/sign-in?return_to=/',
  `/${'a'.repeat(1024)}`,
])('goes to / and not to %j', (path) => {
  expect(returnPath(path)).toBe('/')
})
