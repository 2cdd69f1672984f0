import { expect, test } from 'vitest'
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

test('ends the program when the signal is aborted', async () => {
  const aborted = new AbortController()
  const running = node(`console.error(process.pid); setInterval(() => {}, 1000)`, {
    signal: aborted.signal,
    onLine: (line: string) => aborted.abort(new Error(`stopped ${line}`)),
  })
  const error: unknown = await running.catch((reason: unknown) => reason)
  const pid = Number(/^stopped (\d+)$/.exec((error as Error).message)?.[1])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
