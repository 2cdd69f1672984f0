import { expect, test } from 'vitest'

import { requestTurns, tooManyRequests } from './pending.ts'

const never = { signal: new AbortController().signal }

test('says whether requests wait for each other, or because of large responses', () => {
  expect(tooManyRequests(4, 0)).toMatchObject({
    status: 429,
    code: 'too_many_requests',
    message: expect.stringMatching(/^too many of your requests wait .* 4 run at the same time/),
    retryAfterMs: 1_000,
  })
  expect(tooManyRequests(4, 31_500)).toMatchObject({
    status: 429,
    code: 'too_many_requests',
    message: expect.stringMatching(/responses were so large .* read less .* retry in 32 s$/),
    retryAfterMs: 31_500,
  })
})

test('a full queue of a user who was charged says so', async () => {
  const turns = requestTurns({
    bytes: { perCaller: 1, total: 1 },
    requests: { perUser: 1, total: 10 },
    responseBytesPerSecond: 1,
  })
  const owner = { user: 'a' }
  turns.charge(owner, 3_600_000)
  const waiting = Array.from({ length: 257 }, () => turns.wait(owner, never))
  await expect(Promise.race(waiting)).rejects.toThrow('responses were so large')
})
