import fastify from 'fastify'
import { expect, test } from 'vitest'

import { AnswerCache } from './answer-cache.ts'
import { PublicAnswers } from './public-answers.ts'

const [MALLORY, ALICE] = ['192.0.2.1', '198.51.100.1']

/** A server of public answers, whose reads of keys other than `popular` are held. */
function setUp() {
  const held = Promise.withResolvers<string>()
  const reads: string[] = []
  const publicAnswers = new PublicAnswers({ cache: new AnswerCache({ maxBytes: 1_000_000 }) })
  const app = fastify()
  app.decorateRequest('traceContext', { getter: () => ({ traceparent: '', tracestate: '' }) })
  app.get<{ Params: { key: string } }>('/:key', (request, reply) => {
    const { key } = request.params
    const read = async () => {
      reads.push(key)
      return key === 'popular' ? '"found"' : await held.promise
    }
    const isCostly = key.startsWith('search')
    return publicAnswers.answer(request, reply, { key, isCostly, read })
  })
  const get = async (remoteAddress: string, key: string) =>
    await app.inject({ url: `/${key}`, remoteAddress })
  return { get, reads, release: () => held.resolve('"late"') }
}

test('a read does not wait behind the reads of another network that wants the same', async () => {
  const { get, reads, release } = setUp()
  const others = ['a', 'b', 'c', 'd', 'popular', 'popular'].map((key) => get(MALLORY, key))
  expect((await get(ALICE, 'popular')).body).toBe('"found"')
  release()
  expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual(
    others.map(() => 200),
  )
  // The network's own requests have shared a turn, and found the answer in memory.
  expect(reads.toSorted()).toEqual(['a', 'b', 'c', 'd', 'popular'])
})

test('searches of a network run one at a time, and delay no other reads', async () => {
  const { get, reads, release } = setUp()
  const searches = Array.from({ length: 34 }, (_, index) => get(MALLORY, `search-${index}`))
  const refused = await Promise.race(searches)
  expect(refused.statusCode).toBe(429)
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'too_many_searches' })
  expect((await get(MALLORY, 'popular')).body).toBe('"found"')
  const other = get(ALICE, 'search')
  const others = await Promise.all([get(ALICE, 'popular'), get(MALLORY, 'popular')])
  expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(reads).toEqual(['search-0', 'popular', 'search'])
  release()
  expect((await other).body).toBe('"late"')
  const answers = await Promise.all(searches)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
})
