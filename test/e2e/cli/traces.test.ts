import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  endObservedWorld,
  makeObservedWorld,
  SESSION,
  type ObservedWorld,
} from '../../contract/support/trace-fixture.ts'
import { problemWithBody, problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { newTraceId, sendSpans } from '../../support/ingest.ts'

let world: ObservedWorld
let slipway: CommandLine
let agent: string
const deep = newTraceId()
beforeAll(async () => {
  world = await makeObservedWorld()
  agent = `${world.account}/${world.agent}`
  slipway = await CommandLine.open('alice')
  const root = '00000000000000a1'
  const startMs = world.startMs + 300
  const span = { traceId: deep, parentSpanId: root, durationMs: 100 }
  await sendSpans(world.token, [
    { traceId: deep, spanId: root, name: 'deep', startMs, durationMs: 6000 },
    { ...span, name: 'hostile\u001b[2J', startMs: startMs + 100 },
    { ...span, name: 'broken', startMs: startMs + 3000, isError: true },
  ])
  await waitFor(async () => (await ids([])).includes(deep), { what: 'the traces' })
})
afterAll(async () => {
  await slipway?.[Symbol.asyncDispose]()
  await endObservedWorld(world)
})

/** The rows that a pipe has got below its titles, which begin with these. */
function rowsOf(stdout: string, titles: string): string[][] {
  const [first = '', ...rows] = stdout.split('\n').slice(0, -1)
  if (rows.length > 0 && !first.startsWith(titles)) throw new Error(`other titles: ${first}`)
  return rows.map((line) => line.split('\t'))
}

/** The ids of the traces that these options select, the newest first. */
async function ids(options: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await slipway.run(['traces', agent, ...options])
  if (stderr !== '') throw new Error(stderr)
  return rowsOf(stdout, 'STATUS\tTRACE\tSTARTED\t').flatMap(([, id]) => id ?? [])
}

test('lists the traces that the options select', async () => {
  const { good, failed } = world
  const cases = [
    [[], [deep, failed, good]],
    [['--errors'], [deep, failed]],
    [['--status', 'error'], [failed]],
    [
      ['--status', 'ok'],
      [deep, good],
    ],
    [['--slower', '5s'], [deep]],
    [['--tokens', '>10k'], [good]],
    [
      ['--tokens', '<10k'],
      [deep, failed],
    ],
    [['--model', 'm-1', '--since', '1h'], [good]],
    [['--until', '1h'], []],
    [['--limit', '1'], [deep]],
  ] as const
  const selected = cases.map(async ([options]) => [options, await ids(options)])
  expect(await Promise.all(selected)).toEqual(cases)
  const list = await slipway.json(['traces', agent])
  expect(await problemWithJson('traces list', list)).toBeUndefined()
  const wrong = await slipway.run(['traces', agent, '--slower', 'soon'])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/^error: slower: "soon" is not a duration; write one like 90s/)
})

test('shows a trace as a waterfall that fits the terminal', async () => {
  const showAt = async (columns: number) => {
    using terminal = await slipway.onTerminal(['traces', 'show', deep.slice(0, 8), agent], {
      columns,
    })
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).toContain(deep)
    expect(terminal.text).toMatch(/^deep +█+ +6\.0 s/m)
    expect(terminal.text).toMatch(/^├ hostile +\S+ +100 ms/m)
    expect(terminal.text).toMatch(/^└ ✗ broken +\S+ +100 ms/m)
    expect(terminal.text).toContain('✗ broken: went wrong')
    expect(terminal.output).not.toContain('\u001b[2J')
  }
  await Promise.all([40, 80, 200].map(showAt))
  const trace = await slipway.json(['traces', 'show', 'latest', agent])
  expect(await problemWithJson('traces show', trace)).toBeUndefined()
  expect(trace).toMatchObject({ trace_id: deep })
  const { stdout } = await slipway.run(['traces', 'show', deep, agent])
  expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
    ['DEPTH', 'START_MS', 'TOOK_MS', 'STATUS'],
    ['0', '0', '6000', 'ok'],
    ['1', '100', '100', 'ok'],
    ['1', '3000', '100', 'error'],
    [''],
  ])
  const none = await slipway.run(['traces', 'show', '0123', agent])
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toMatch(/^error: no trace begins with 0123\nwhy: /)
})

test('shows metrics over time, of each model, and in rows for a pipe', async () => {
  const showAt = async (columns: number) => {
    const args = ['metrics', agent, '--by', 'model']
    using terminal = await slipway.onTerminal(args, { columns })
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).toMatch(/^the last 1 d, each bar \d+ (min|h)$/m)
    expect(terminal.text).toMatch(/^runs +▁*█▁* +3$/m)
    expect(terminal.text).toMatch(/^errors +▁*█▁* +1 \(33 %\)$/m)
    expect(terminal.text).toMatch(/^p95 +█ +6\.0 s$/m)
    expect(terminal.text).toMatch(/^m-1 +1 +0 /m)
  }
  await Promise.all([40, 80].map(showAt))
  const metrics = await slipway.json(['metrics', agent, '--by', 'build'])
  expect(await problemWithJson('metrics', metrics)).toBeUndefined()
  const of = 'GET /agents/{account}/{name}/observability'
  const bodies = metrics as Record<'summary' | 'metrics', { groups?: unknown[] }>
  expect(await problemWithBody(`${of}/summary`, bodies.summary)).toBeUndefined()
  expect(await problemWithBody(`${of}/metrics`, bodies.metrics)).toBeUndefined()
  expect(bodies.metrics.groups).toMatchObject([{ request_count: 3, error_count: 1 }])

  const { stdout } = await slipway.run(['metrics', agent, '--since', '1h'])
  const rows = rowsOf(stdout, 'START\tRUNS\tERRORS\tP50_MS\tP95_MS\t')
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.every((row) => row.length === 8)).toBe(true)
  expect(rows.filter((row) => row[1] !== '0').map((row) => row.slice(0, 5))).toEqual([
    [expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), '3', '1', '40', '6000'],
  ])
  const models = await slipway.run(['metrics', agent, '--by', 'model'])
  expect(rowsOf(models.stdout, 'NAME\tRUNS\t')[0]?.slice(0, 5)).toEqual('m-1 1 0 20 20'.split(' '))
  const none = await slipway.run(['metrics', agent, '--by', 'tool'])
  expect(none).toMatchObject({ code: 2, stdout: '' })
})

test('lists sessions, and shows one with its turns', async () => {
  const list = async (...options: string[]) => {
    const { stdout, code } = await slipway.run(['sessions', agent, ...options])
    return [code, ...rowsOf(stdout, 'SESSION\tLAST TURN\t').flatMap(([id]) => id ?? [])]
  }
  expect(await Promise.all([list(), list('--prefix', 'chat/')])).toEqual([
    [0, SESSION],
    [0, SESSION],
  ])
  const none = [['--errors'], ['--user', 'nobody'], ['--prefix', 'x'], ['--until', '1h']]
  expect(await Promise.all(none.map((options) => list(...options)))).toEqual(none.map(() => [0]))
  const sessions = await slipway.json(['sessions', 'list', agent])
  expect(await problemWithJson('sessions list', sessions)).toBeUndefined()
  const session = await slipway.json(['sessions', 'show', SESSION, agent])
  expect(await problemWithJson('sessions show', session)).toBeUndefined()

  const { stdout } = await slipway.run(['sessions', 'show', SESSION, agent])
  const [row = []] = rowsOf(stdout, 'STATUS\tTRACE\tSTARTED\t')
  expect([row[0], row[1], row[3], ...row.slice(7)]).toEqual([
    'ok',
    world.good,
    '20',
    'the question',
    'the answer',
  ])
  using terminal = await slipway.onTerminal(['sessions', 'show', SESSION, agent], { columns: 40 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.text).toContain('→ the question\n← the answer')
  expect(terminal.text).toContain(`✓ ${world.good.slice(0, 8)}  20 ms`)
  const unknown = await slipway.run(['sessions', 'show', 'nothing', agent])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^error: session not found\nnext: +slipway sessions,/)
})

test('exports traces to a pipe or a file, in both formats', async () => {
  const otlp = await slipway.json(['traces', 'export', agent])
  expect(await problemWithJson('traces export', otlp)).toBeUndefined()
  expect(JSON.stringify(otlp)).toContain(world.good)
  const exported = async (...options: string[]) => {
    const args = ['traces', 'export', agent, '--format', 'jsonl', ...options]
    const { stdout, stderr, code } = await slipway.run(args)
    const texts = stdout.split('\n').slice(0, -1)
    const traces = texts.map((text): { trace_id: string } => JSON.parse(text))
    return { code, stderr, ids: traces.map(({ trace_id: id }) => id) }
  }
  const { good, failed } = world
  const [all, large, one, newest] = await Promise.all([
    exported(),
    exported('--tokens', '>10k'),
    exported('--trace', good),
    exported('--limit', '1'),
  ])
  expect(all).toEqual({ code: 0, stderr: '', ids: [deep, failed, good] })
  expect([large.ids, one.ids]).toEqual([[good], [good]])
  expect(newest).toEqual({
    code: 0,
    stderr: 'the newest 1 traces; there are more: --limit\n',
    ids: [deep],
  })

  const path = join(slipway.home, 'traces.json')
  const toFile = ['traces', 'export', agent, '--file', path]
  expect(await slipway.run(toFile)).toEqual({ code: 0, stdout: '', stderr: `wrote ${path}\n` })
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(otlp)
  const sent = await fetch(`${fromStack('SLIPWAY_OTLP_URL')}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    body: await readFile(path, 'utf8'),
  })
  expect([sent.status, await sent.json()]).toEqual([200, {}])
  const unknown = await slipway.run([...toFile, '--trace', newTraceId()])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^error: trace not found\nnext: +slipway traces,/)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(otlp)
  expect((await readdir(slipway.home)).filter((name) => name.endsWith('.part'))).toEqual([])
  const both = await slipway.run([...toFile, '--trace', 'latest', '--errors'])
  expect(both).toMatchObject({ code: 2, stdout: '' })
})
