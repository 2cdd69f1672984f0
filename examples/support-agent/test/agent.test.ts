import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '..', 'src')
const token = 'a-token-for-this-test'
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

type LogLine = { event: string; level: string } & Record<string, unknown>

/** Starts a program of the example as a container would, without this process's environment. */
function start(
  program: string,
  env: Record<string, string>,
): { child: ChildProcess; lines: LogLine[]; output: () => string } {
  const child = spawn(process.execPath, [join(source, program)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: LogLine[] = []
  let output = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    lines.push(JSON.parse(line) as LogLine)
    child.emit('logged')
  })
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit')
  })
  return { child, lines, output: () => output }
}

async function logged({ child, lines }: ReturnType<typeof start>, event: string): Promise<LogLine> {
  for (;;) {
    const line = lines.find((candidate) => candidate.event === event)
    if (line) return line
    if (child.exitCode !== null) throw new Error(`ended without ${event}: ${JSON.stringify(lines)}`)
    await Promise.race([once(child, 'logged'), once(child, 'exit')])
  }
}

async function startAgent(env: Record<string, string> = {}) {
  const agent = start('main.ts', { PORT: '0', SUPPORT_API_TOKEN: token, ...env })
  const { port } = await logged(agent, 'agent_started')
  return { ...agent, url: `http://127.0.0.1:${String(port)}` }
}

interface Body {
  answer: string
  sources: { id: string }[]
  usage: Record<string, number>
  trace_id?: string
}

async function ask(url: string, message: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/chat`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

async function terminate(child: ChildProcess): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = (await exit) as [number | null]
  return code
}

/** Starts an OTLP/HTTP endpoint that stores what it receives. */
async function startCollector() {
  const posts: { url: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      posts.push({ url: request.url ?? '', headers: request.headers, body })
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the agent', () => {
  it('answers from its FAQ with greeting, sources and counted tokens', async () => {
    const { url } = await startAgent({ SUPPORT_GREETING: 'Hello there.' })
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({
      status: 'ok',
      knowledge: { articles: 11 },
    })
    const { status, body } = await ask(url, 'I forgot my password')
    expect(status).toBe(200)
    expect(body.answer).toMatch(/^Hello there\. .*Forgot password/)
    expect(body.sources[0]).toMatchObject({ id: 'reset-password' })
    expect(body.usage).toMatchObject({
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    })
  })

  it('answers invalid requests with 4xx', async () => {
    const { url } = await startAgent()
    expect((await ask(url, '')).status).toBe(400)
    expect((await ask(url, 7)).status).toBe(400)
    expect((await ask(url, 'x'.repeat(5_000))).status).toBe(400)
    expect((await ask(url, 'x'.repeat(100_000))).status).toBe(413)
    expect((await fetch(`${url}/chat`, { method: 'POST', body: '{' })).status).toBe(400)
    expect((await fetch(`${url}/chat`)).status).toBe(405)
    expect((await fetch(`${url}/nowhere`)).status).toBe(404)
    expect((await fetch(`${url}/admin/knowledge`, { method: 'PUT', body: '{}' })).status).toBe(401)
  })

  it('does not start without its credential', async () => {
    const agent = start('main.ts', { PORT: '0' })
    await once(agent.child, 'exit')
    expect(agent.child.exitCode).toBe(1)
    expect(agent.lines.at(-1)).toMatchObject({
      event: 'agent_failed',
      error: 'SUPPORT_API_TOKEN is not set',
    })
  })
})

describe('telemetry', () => {
  it('sends the GenAI spans of a question before it ends', async () => {
    const collector = await startCollector()
    const agent = await startAgent({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20ingest',
      OTEL_SERVICE_NAME: 'support-agent',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.id=d-1',
    })
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const { body } = await ask(agent.url, 'where are my invoices', {
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    })
    expect(body.trace_id).toBe(traceId)
    expect(await terminate(agent.child)).toBe(0)

    expect(collector.posts.map(({ url }) => url)).toContain('/v1/traces')
    expect(new Set(collector.posts.map(({ url }) => url)).size).toBe(1)
    expect(collector.posts[0]?.headers).toMatchObject({
      authorization: 'Bearer ingest',
      'content-type': 'application/x-protobuf',
    })
    const sent = Buffer.concat(collector.posts.map((post) => post.body))
    const expected = [
      'input.value',
      'output.value',
      'retrieval faq',
      'gen_ai.usage.input_tokens',
      'gen_ai.output.messages',
    ]
    const wanted = [...expected, 'where are my invoices', 'deployment.id', 'support-agent']
    expect(wanted.filter((text) => !sent.includes(text))).toEqual([])
    expect(sent.includes(token)).toBe(false)
    expect(agent.output()).not.toContain(token)
  })

  it('is off without an endpoint', async () => {
    const agent = await startAgent()
    expect(agent.lines.map(({ event }) => event)).toContain('telemetry_off')
    const { body } = await ask(agent.url, 'invoices')
    expect(body).not.toHaveProperty('trace_id')
    expect(await terminate(agent.child)).toBe(0)
  })
})

describe('the ingestion', () => {
  it('sends the agent the articles of the FAQ and of its input', async () => {
    const { url } = await startAgent()
    expect((await ask(url, 'weather in Paris')).body.sources).toEqual([])
    const articles = JSON.stringify([
      { title: 'What is the weather in Paris?', text: 'Look out of the window.' },
    ])
    const ingestion = start('ingest.ts', {
      AGENT_URL: url,
      SUPPORT_API_TOKEN: token,
      FAQ_ARTICLES: articles,
    })
    await once(ingestion.child, 'exit')
    expect(ingestion.child.exitCode).toBe(0)
    expect((await logged(ingestion, 'ingested'))['agent']).toMatchObject({ articles: 12 })
    expect((await ask(url, 'weather in Paris')).body.answer).toBe('Look out of the window.')
    expect((await ask(url, 'invoices')).body.sources[0]).toMatchObject({ id: 'invoices' })
  })

  it('fails without retries if the token is wrong', async () => {
    const { url } = await startAgent()
    const ingestion = start('ingest.ts', {
      AGENT_URL: url,
      SUPPORT_API_TOKEN: 'wrong',
      FAQ_ARTICLES: '[]',
    })
    await once(ingestion.child, 'exit')
    expect(ingestion.child.exitCode).toBe(1)
    expect(ingestion.lines.at(-1)?.['error']).toContain('401')
  })
})
