import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { ErrorInfoSchema } from '@slipway/proto/google/rpc/error_details'
import { BuildRegisteredSchema, VersionYankedSchema } from '@slipway/proto/slipway/events/v1/event'
import { expect, test } from 'vitest'

import { AnswerCache } from './answer-cache.ts'
import { PublicAnswer } from './answer.ts'
import { changeCatalog, isPublicChange } from './drop-on-change.ts'
import { PublicAnswers } from './public-answers.ts'

/** Bytes in a cache with one answer after a change with this outcome. */
async function bytesAfter(outcome: Promise<unknown>, isPublic?: () => boolean): Promise<number> {
  const cache = new AnswerCache({ maxBytes: 1000, timeLimitMs: 600_000 })
  await cache.load('key', async () => new PublicAnswer('{}'))
  await changeCatalog(new PublicAnswers({ cache }), outcome, isPublic).catch(() => {})
  return cache.bytes
}

const info = { desc: ErrorInfoSchema, value: { reason: 'some_reason', domain: 'slipway.dev' } }
const failure = (code: Code, hasReason = true) => {
  const outcome = Promise.reject(new ConnectError('no', code, undefined, hasReason ? [info] : []))
  outcome.catch(() => {})
  return outcome
}

test.each([
  [
    { case: 'buildRegistered', value: create(BuildRegisteredSchema, { isPublished: false }) },
    false,
  ],
  [{ case: 'buildRegistered', value: create(BuildRegisteredSchema, { isPublished: true }) }, true],
  // As an older release sends it.
  [{ case: 'buildRegistered', value: create(BuildRegisteredSchema) }, true],
  [{ case: 'versionYanked', value: create(VersionYankedSchema) }, true],
] as const)('of the event %o, everyone sees the change: %s', (payload, isPublic) => {
  expect(isPublicChange({ payload })).toBe(isPublic)
})

test('a change drops the answers, but not one that others can’t see', async () => {
  const kept = await bytesAfter(Promise.resolve({}), () => false)
  expect(kept).toBeGreaterThan(0)

  expect(await bytesAfter(Promise.resolve({}))).toBe(0)
})

test.each([
  'InvalidArgument',
  'FailedPrecondition',
  'Unauthenticated',
  'PermissionDenied',
  'NotFound',
  'Aborted',
] as const)('a rejection with %s keeps the answers', async (name) => {
  expect(await bytesAfter(failure(Code[name]))).toBeGreaterThan(0)
})

test.each(['Unavailable', 'DeadlineExceeded', 'Canceled', 'Internal', 'Unknown'] as const)(
  '%s leaves the outcome unknown and drops the answers',
  async (name) => {
    expect(await bytesAfter(failure(Code[name]))).toBe(0)
    expect(await bytesAfter(failure(Code[name], false))).toBe(0)
  },
)

test('a rejection without the catalog’s reason, or any other error, drops them', async () => {
  expect(await bytesAfter(failure(Code.PermissionDenied, false))).toBe(0)
  const broken = Promise.reject(new Error('broken'))
  expect(await bytesAfter(broken)).toBe(0)
})
