import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { parseConfig } from '../src/config.ts'
import { createProxy, HEALTH_PATH } from '../src/proxy.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts an adapter in front of an agent with this listener; returns the adapter's origin. */
async function adapterFor(
  agent: RequestListener | string,
  env: Record<string, string> = {},
): Promise<string> {
  const origin = typeof agent === 'string' ? agent : await listen(createServer(agent))
  return await listen(createProxy(parseConfig({ AGENT_URL: origin, WEB_ENABLED: 'true', ...env })))
}

function send(
  origin: string,
  options: { method?: string; path?: string; headers?: Record<string, string> } = {},
) {
  const sent = request(origin, { agent: false, ...options })
  const response = once(sent, 'response').then(([each]) => each as IncomingMessage)
  response.catch(() => undefined) // for tests that don't await the response
  return { sent, response }
}

test('forwards method, path, headers and bodies, and returns the response unchanged', async () => {
  const origin = await adapterFor((incoming, outgoing) => {
    const { method, url, headers } = incoming
    outgoing.writeHead(418, 'Teapot', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
    const seen = { method, url, forwarded: headers['x-forwarded-host'], own: headers['x-own'] }
    void text(incoming).then((body) => outgoing.end(JSON.stringify({ ...seen, body })))
  })
  const { sent, response } = send(origin, {
    method: 'DELETE',
    path: '/a%2Fb?c=d',
    headers: { 'x-own': 'x' },
  })
  sent.setHeader('transfer-encoding', 'chunked')
  sent.end('content')
  const answer = await response
  expect([answer.statusCode, answer.statusMessage, answer.headers['set-cookie']]).toEqual([
    418,
    'Teapot',
    ['a=1', 'b=2'],
  ])
  expect(JSON.parse(await text(answer))).toEqual({
    method: 'DELETE',
    url: '/a%2Fb?c=d',
    body: 'content',
    forwarded: new URL(origin).host,
    own: 'x',
  })
})

test('streams in both directions', async () => {
  const origin = await adapterFor((incoming, outgoing) => {
    outgoing.flushHeaders()
    incoming.on('data', (chunk: Buffer) => outgoing.write(`got ${chunk.toString()}`))
    incoming.on('end', () => outgoing.end())
  })
  const { sent, response } = send(origin, { method: 'POST' })
  sent.write('one')
  const answer = await response
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  expect(String((await chunks.next()).value)).toBe('got one')
  sent.write('two')
  expect(String((await chunks.next()).value)).toBe('got two')
  sent.end()
  expect((await chunks.next()).done).toBe(true)
})

test('forwards large bodies', async () => {
  const size = 20 * 1024 * 1024
  const origin = await adapterFor((incoming, outgoing) => void incoming.pipe(outgoing))
  const response = await fetch(origin, { method: 'POST', body: Buffer.alloc(size, 1) })
  expect((await response.arrayBuffer()).byteLength).toBe(size)
})

test('serves its health endpoint without the agent', async () => {
  const origin = await adapterFor('http://127.0.0.1:1')
  expect((await fetch(`${origin}${HEALTH_PATH}`)).status).toBe(200)
})

describe('failures', () => {
  test('returns 502 for an agent that is not running', async () => {
    const response = await fetch(await adapterFor('http://127.0.0.1:1'))
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: 'the agent cannot be reached' },
    ])
  })

  test('returns 504 for an agent that does not respond', async () => {
    const origin = await adapterFor(() => undefined, { WEB_SILENCE_TIMEOUT_MS: '50' })
    const response = await fetch(origin)
    expect([response.status, await response.json()]).toEqual([
      504,
      { error: 'the agent does not respond' },
    ])
  })

  test('closes the connection if a response breaks off or stops', async () => {
    const broken = await adapterFor((_incoming, outgoing) => {
      outgoing.write('half', () => outgoing.destroy())
    })
    await expect(fetch(broken).then(async (response) => await response.text())).rejects.toThrow(
      'terminated',
    )
    // Long enough that a busy machine starts the response before the timeout.
    const silent = await adapterFor((_incoming, outgoing) => void outgoing.write('half'), {
      WEB_SILENCE_TIMEOUT_MS: '3000',
    })
    await expect(fetch(silent).then(async (response) => await response.text())).rejects.toThrow(
      'terminated',
    )
  })

  test('returns 413 for a body over the limit, with and without a length', async () => {
    const origin = await adapterFor((incoming) => void incoming.resume(), {
      WEB_MAX_BODY_BYTES: '10',
    })
    expect((await fetch(origin, { method: 'POST', body: '12345678901' })).status).toBe(413)
    const { sent, response } = send(origin, {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
    })
    sent.write('12345678901')
    const answer = await response
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
      413,
      { error: 'the body is too large' },
    ])
    sent.destroy()
  })

  test('returns 503 for too many concurrent requests, and serves later ones', async () => {
    const waiting = Promise.withResolvers<() => void>()
    const agent: RequestListener = ({ url }, outgoing) =>
      url === '/slow' ? waiting.resolve(() => outgoing.end()) : outgoing.end()
    const origin = await adapterFor(agent, { WEB_MAX_REQUESTS: '1' })
    const first = send(origin, { path: '/slow' })
    first.sent.end()
    const finish = await waiting.promise
    expect((await fetch(origin)).status).toBe(503)
    finish()
    await text(await first.response)
    await expect.poll(async () => (await fetch(origin)).status).toBe(200)
  })

  test('cancels the request to the agent when the client disconnects', async () => {
    const left = Promise.withResolvers<void>()
    const here = Promise.withResolvers<void>()
    const origin = await adapterFor((_incoming, outgoing) => {
      outgoing.once('close', left.resolve)
      here.resolve()
    })
    const { sent } = send(origin)
    sent.once('error', () => undefined)
    sent.end()
    await here.promise
    sent.destroy()
    await expect(left.promise).resolves.toBeUndefined()
  })
})

test('finishes running requests after SIGTERM', async () => {
  const waiting = Promise.withResolvers<() => void>()
  const agent = await listen(
    createServer((_incoming, outgoing) => waiting.resolve(() => outgoing.end('done'))),
  )
  const env = {
    AGENT_URL: agent,
    WEB_ENABLED: 'true',
    WEB_LISTEN_ADDR: '127.0.0.1:0',
    SLACK_ENABLED: 'false',
  }
  const program = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  cleanups.push(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const started = JSON.parse((await lines.next()).value as string) as {
    event: string
    port: number
  }
  expect(started.event).toBe('adapter_started')

  const { sent, response } = send(`http://127.0.0.1:${started.port}`)
  sent.end()
  const finish = await waiting.promise
  child.kill('SIGTERM')
  expect(JSON.parse((await lines.next()).value as string)).toMatchObject({
    event: 'adapter_stopping',
  })
  finish()
  expect(await text(await response)).toBe('done')
  expect(await ended).toEqual([0, null])
})
