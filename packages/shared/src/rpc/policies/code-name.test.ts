import { Code } from '@connectrpc/connect'
import { expect, test } from 'vitest'

import { codeName } from './code-name.ts'

test.each([
  [Code.Canceled, 'canceled'],
  [Code.NotFound, 'not_found'],
  [Code.PermissionDenied, 'permission_denied'],
  [Code.ResourceExhausted, 'resource_exhausted'],
  [99 as Code, 'unknown'],
])('code %d has the name %s', (code, name) => {
  expect(codeName(code)).toBe(name)
})
