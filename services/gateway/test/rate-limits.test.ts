import { once } from 'node:events'
import { connect } from 'node:net'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loneGateway, type Answer, type LoneGateway } from './support/lone-gateway.ts'

const LIST = '/api/v1/agents'
const ME = '/api/v1/me'

/**
 * Asks several times at once until somebody is refused: one token a second comes back, however slow
 * the machine is.
 */
async function askUntilRefused(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!answers.some(({ status }) => status === 429)) {
    answers.push(...(await Promise.all(Array.from({ length: 10 }, ask))))
  }
  return answers
}

const countOf = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length

describe('rate limits', () => {
  let gateway: LoneGateway

  beforeAll(async () => {
    gateway = await loneGateway({
      RATE_LIMIT_ADDRESS_PER_SECOND: '1',
      RATE_LIMIT_ADDRESS_BURST: '5',
      RATE_LIMIT_USER_PER_SECOND: '1',
      RATE_LIMIT_USER_BURST: '8',
    })
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test('an address that asks too much is told so, and when to come back', async () => {
    // The catalog is away, so what passes is 503.
    const answers = await askUntilRefused(() => gateway.send('GET', LIST))
    expect(countOf(answers, 503)).toBeGreaterThanOrEqual(5)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      status: 429,
      code: 'rate_limited',
      title: 'Too Many Requests',
    })
    expect(refused?.headers.get('content-type')).toBe('application/problem+json')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    // Told to whoever took the first of five.
    const first = answers.find(({ headers }) => headers.get('ratelimit-remaining') === '4')?.headers
    expect(first?.get('ratelimit-limit')).toBe('5')
    expect(Number(first?.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1)
  })

  test('paths that are none count too', async () => {
    const answers = await askUntilRefused(() => gateway.send('GET', '/api/v1/nothing'))
    expect(answers.filter(({ status }) => status !== 404 && status !== 429)).toEqual([])
  })

  test('who is signed in has a limit of their own, which anonymous requests from the same address leave alone', async () => {
    const alice = await gateway.issuer.userToken('alice')
    const bob = await gateway.issuer.userToken('bob')
    // Until a token is known to be good its request counts against the address.
    const first = await gateway.send('GET', ME, { token: alice })
    const answers = await askUntilRefused(() => gateway.send('GET', ME, { token: alice }))
    expect(countOf([first, ...answers], 503)).toBeGreaterThanOrEqual(8)
    expect(answers.find(({ status }) => status === 429)?.headers.get('ratelimit-limit')).toBe('8')
    expect((await gateway.send('GET', ME, { token: bob })).status).toBe(503)
  })

  test('a token that is no good counts against its address', async () => {
    const token = await gateway.issuer.userToken('eve', { foreignKey: true })
    const answers = await askUntilRefused(() => gateway.send('GET', ME, { token }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
  })

  test('health has no limit', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await gateway.send('GET', '/livez')).status).toBe(200)
  })
})

describe('CORS', () => {
  const origin = 'https://dashboard.example'

  test('pages of a listed origin may ask and read', async () => {
    await using gateway = await loneGateway({ CORS_ORIGINS: `${origin}, https://other.example` })
    const preflight = await gateway.send('OPTIONS', '/api/v1/deploy', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      origin,
    ])
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining([
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-None-Match',
        'Last-Event-ID',
        'Traceparent',
        'Tracestate',
      ]),
    )
    const answer = await gateway.send('GET', LIST, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  test.each([
    ['another origin', { CORS_ORIGINS: origin }, 'https://evil.example'],
    ['no origin is listed', {}, origin],
    ['null', { CORS_ORIGINS: origin }, 'null'],
  ])('%s: nothing is allowed', async (_what, env, from) => {
    await using gateway = await loneGateway(env)
    const preflight = await gateway.send('OPTIONS', LIST, {
      headers: { origin: from, 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect(
      (await gateway.send('GET', LIST, { headers: { origin: from } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull()
  })
})

describe('idempotency keys', () => {
  let gateway: LoneGateway
  let token: string

  beforeAll(async () => {
    gateway = await loneGateway()
    token = await gateway.issuer.userToken('alice')
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test.each(['', 'x'.repeat(256), 'with blank', 'bell\u0007'.slice(0, 4) + 'é'])(
    '%j is refused',
    async (key) => {
      const answer = await gateway.send('POST', '/api/v1/accounts', {
        token,
        body: '{"name":"team"}',
        headers: { 'idempotency-key': key },
      })
      expect([answer.status, answer.body.validation_errors?.[0]]).toEqual([
        400,
        expect.stringContaining('idempotency-key'),
      ])
    },
  )

  test('a good one passes; validate takes no notice of any', async () => {
    const good = { 'idempotency-key': 'x'.repeat(255) }
    expect(
      (
        await gateway.send('POST', '/api/v1/accounts', {
          token,
          body: '{"name":"team"}',
          headers: good,
        })
      ).status,
    ).toBe(503)
    const bad = { 'idempotency-key': 'with blank' }
    const body = '{"account":"a","name":"b"}'
    expect(
      (await gateway.send('POST', '/api/v1/deploy/validate', { token, body, headers: bad })).status,
    ).toBe(503)
  })
})

describe('connections', () => {
  /** Opens a connection and asks on it, if it is let in: the head of the answer, or nothing. */
  async function ask(url: string, path = '/livez') {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const [bytes] = (await Promise.race([
      once(socket, 'data'),
      once(socket, 'close').then(() => []),
    ])) as [Buffer?]
    return { socket, head: bytes?.toString('latin1') ?? '' }
  }

  test('one address has no more than its share, and gets it back', async () => {
    await using gateway = await loneGateway({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
    const held = [await ask(gateway.url), await ask(gateway.url), await ask(gateway.url)]
    expect(held.map(({ head }) => head.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'))
    expect((await ask(gateway.url)).head).toBe('')
    held[0]?.socket.destroy()
    await waitFor(
      async () => {
        const { head, socket } = await ask(gateway.url)
        socket.destroy()
        return head !== ''
      },
      { what: 'the place of the connection that is gone' },
    )
    for (const { socket } of held) socket.destroy()
  })

  test('a trusted proxy’s don’t count', async () => {
    await using gateway = await loneGateway({
      MAX_CONNECTIONS_PER_ADDRESS: '1',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const held = [await ask(gateway.url), await ask(gateway.url), await ask(gateway.url)]
    expect(held.map(({ head }) => head.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'))
    for (const { socket } of held) socket.destroy()
  })

  test('who asks too much loses the connection', async () => {
    await using gateway = await loneGateway({
      RATE_LIMIT_ADDRESS_BURST: '1',
      RATE_LIMIT_ADDRESS_PER_SECOND: '1',
    })
    const first = await ask(gateway.url, '/api/v1/nothing')
    expect(first.head).toMatch(/^HTTP\/1.1 404.*connection: keep-alive/is)
    const asked = [first]
    while (!asked.some(({ head }) => head.startsWith('HTTP/1.1 429'))) {
      asked.push(
        ...(await Promise.all(
          Array.from({ length: 4 }, () => ask(gateway.url, '/api/v1/nothing')),
        )),
      )
    }
    const refused = asked.find(({ head }) => head.startsWith('HTTP/1.1 429'))
    expect(refused?.head).toMatch(/connection: close/i)
    if (refused?.socket.destroyed === false) await once(refused.socket, 'close')
    for (const { socket } of asked) socket.destroy()
  })
})
