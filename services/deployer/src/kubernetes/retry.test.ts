import { expect, test } from 'vitest'

import { isQuotaConflict, KubernetesError } from './kubernetes-error.ts'
import { retryBriefly } from './retry.ts'

/** As the API server reports a quota that another request has changed meanwhile. */
const conflict = new KubernetesError(409, {
  reason: 'Conflict',
  message: 'Operation cannot be fulfilled on resourcequotas "bot": the object has been modified',
  details: { kind: 'resourcequotas' },
})
const exists = new KubernetesError(409, { reason: 'AlreadyExists', details: { kind: 'jobs' } })

function failing(...errors: readonly Error[]) {
  const left = [...errors]
  return async () => {
    const error = left.shift()
    if (error !== undefined) throw error
    return left.length
  }
}

test('sends a request again when others have changed the quota', async () => {
  expect(await retryBriefly(failing(conflict), isQuotaConflict)).toBe(0)
})

test('gives up after the fourth try', async () => {
  const send = failing(conflict, conflict, conflict, conflict)
  await expect(retryBriefly(send, isQuotaConflict)).rejects.toBe(conflict)
  expect(await send()).toBe(0)
})

test('does not repeat a request whose error stays', async () => {
  const send = failing(exists)
  await expect(retryBriefly(send, isQuotaConflict)).rejects.toBe(exists)
  expect(await send()).toBe(0)
})
