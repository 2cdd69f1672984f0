import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { runProgram } from './run-program.ts'

const missing = 'install it'
const node = async (script: string, options = {}) =>
  await runProgram(process.execPath, ['-e', script], { missing, ...options })

test('returns the output, and passes on lines', async () => {
  const lines: string[] = []
  const script = `process.stdout.write('out'); process.stderr.write('a\\nb\\r\\n\\nc')`
  expect(await node(script, { onLine: (line: string) => lines.push(line) })).toBe('out')
  expect(lines).toEqual(['a', 'b', 'c'])
})

test('throws what the program wrote, or what to install', async () => {
  await expect(node(`console.error('broken'); process.exit(3)`)).rejects.toThrow('broken')
  await expect(runProgram('no-such-program-here', [], { missing })).rejects.toThrow(missing)
})

/** Whether a program runs. One that has ended may still wait for its parent. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z')
  } catch {
    return false
  }
}

const RUNS = 'console.error(process.pid); setInterval(() => {}, 1000)'
const STARTS_ANOTHER = `
require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(RUNS)}], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
setInterval(() => {}, 1000)
`

test.each([
  ['the program', RUNS],
  ['what it has started', STARTS_ANOTHER],
])('ends %s when the signal is aborted', async (_, script) => {
  const aborted = new AbortController()
  const running = node(script, {
    signal: aborted.signal,
    onLine: (line: string) => aborted.abort(new Error(`stopped ${line}`)),
  })
  const error: unknown = await running.catch((reason: unknown) => reason)
  const pid = Number(/^stopped (\d+)$/.exec((error as Error).message)?.[1])
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false))
})

test('ends what runs when this process is ended', async () => {
  const place = JSON.stringify(import.meta.resolve('./run-program.ts'))
  const builder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { runProgram } from ${place}
       const onLine = (line) => console.log(line)
       await runProgram(process.execPath, ['-e', ${JSON.stringify(STARTS_ANOTHER)}], { onLine })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(builder.stdout.setEncoding('utf8'), 'data')) as [string]
  builder.kill('SIGTERM')
  const [code, signal] = (await once(builder, 'exit')) as [number | null, string | null]
  expect([code, signal]).toEqual([null, 'SIGTERM'])
  await vi.waitFor(() => expect(isRunning(Number(line))).toBe(false))
})

test('gives a program its input, also if it ends before it has read all', async () => {
  const reads = 'process.stdin.pipe(process.stdout)'
  const given = 'é'.repeat(300_000)
  const options = { missing, input: given }
  expect(await runProgram(process.execPath, ['-e', reads], options)).toBe(given)
  expect(await runProgram(process.execPath, ['-e', 'process.exit()'], options)).toBe('')
})
