import { expect, test } from 'vitest'

import { Unanswered } from './unanswered.ts'

const API = 'http://127.0.0.1:8080/api/v1'

test.each([
  ['GET', '/me', true],
  ['POST', '/deploy/validate?dry_run=server', true],
  ['DELETE', '/accounts/acme?dry_run=true', true],
  ['DELETE', '/accounts/acme?dry_run=false', false],
  ['POST', '/accounts', false],
])('%s %s may change nothing: %s', (method, path, isEmpty) => {
  const unanswered = new Unanswered()
  const request = { method, url: `${API}${path}` }
  unanswered.sent(request)
  expect(unanswered.isEmpty).toBe(isEmpty)
  unanswered.answered(request)
  expect(unanswered.isEmpty).toBe(true)
})
