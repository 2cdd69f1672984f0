import { inspect } from 'node:util'

import { expect, test } from 'vitest'

import { KubernetesError } from './kubernetes-error.ts'

test('does not print the message of the API server, which may quote a credential', () => {
  const error = new KubernetesError(403, { reason: 'Forbidden', message: 'no sentinel-value here' })
  const own = JSON.stringify(Object.fromEntries(Object.entries(error)))
  expect([inspect(error, { showHidden: true }), own, String(error)].join()).not.toContain(
    'sentinel',
  )
  expect(error.message).toBe('the API server returned 403 Forbidden')
  expect(error.status.message).toBe('no sentinel-value here')
})
