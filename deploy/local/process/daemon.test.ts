import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  applyDaemon,
  daemonPid,
  daemonState,
  startDaemon,
  stopDaemon,
  waitUntil,
} from './daemon.ts'
import type { DaemonSpec } from './daemon.ts'

let stack = { runDir: '' }

beforeEach(() => {
  stack = { runDir: mkdtempSync(join(tmpdir(), 'slipway-daemon-')) }
})

afterEach(async () => {
  await stopDaemon(stack, 'sleeper')
  rmSync(stack.runDir, { recursive: true })
})

const sleeper: DaemonSpec = {
  name: 'sleeper',
  command: 'sh',
  args: ['-c', 'echo awake; exec sleep 1000'],
}

test('a daemon is started once, logs, and is gone after stop', async () => {
  expect(await startDaemon(stack, sleeper)).toEqual({ started: true })
  expect(await startDaemon(stack, sleeper)).toEqual({ started: false })
  const log = () => readFileSync(join(stack.runDir, 'sleeper.log'), 'utf8')
  await waitUntil('it speaks', () => log().includes('awake'), { timeoutMs: 5000, stack })
  await stopDaemon(stack, 'sleeper')
  expect(daemonState(stack, 'sleeper')).toBe('stopped')
})

test('one that dies has crashed, and is started again', async () => {
  await startDaemon(stack, sleeper)
  process.kill(daemonPid(stack, 'sleeper') ?? 0, 'SIGKILL')
  await waitUntil('it is dead', () => daemonState(stack, 'sleeper') === 'crashed', {
    timeoutMs: 5000,
    stack,
  })
  expect(await startDaemon(stack, sleeper)).toEqual({ started: true })
})

test('one that ignores TERM is killed', async () => {
  const deaf = { ...sleeper, args: ['-c', 'trap "" TERM; echo deaf; while :; do sleep 1000; done'] }
  await startDaemon(stack, deaf)
  const log = () => readFileSync(join(stack.runDir, 'sleeper.log'), 'utf8')
  await waitUntil('it is deaf', () => log().includes('deaf'), { timeoutMs: 5000, stack })
  await stopDaemon(stack, 'sleeper', { graceMs: 100 })
  expect(daemonState(stack, 'sleeper')).toBe('stopped')
})

test('apply replaces one whose arguments changed, and only then', async () => {
  await applyDaemon(stack, sleeper)
  expect(await applyDaemon(stack, sleeper)).toEqual({ started: false })
  const before = daemonPid(stack, 'sleeper')
  expect(await applyDaemon(stack, { ...sleeper, env: { MORE: '1' } })).toEqual({ started: true })
  expect(daemonPid(stack, 'sleeper')).not.toBe(before)
})

test('another process that got the old id is neither alive nor killed', async () => {
  writeFileSync(join(stack.runDir, 'sleeper.pid'), `${process.pid} 1 x\n`)
  expect(daemonState(stack, 'sleeper')).toBe('crashed')
  await stopDaemon(stack, 'sleeper')
  expect(daemonState(stack, 'sleeper')).toBe('stopped')
})

test('waiting ends when the daemon does, with its last lines', async () => {
  await startDaemon(stack, { ...sleeper, args: ['-c', 'echo first; echo the reason >&2; exit 3'] })
  const waiting = waitUntil('never', () => false, { timeoutMs: 60_000, daemon: 'sleeper', stack })
  await expect(waiting).rejects.toThrow(/sleeper ended before never\nfirst\nthe reason/)
})

test('a command that does not exist is an error', async () => {
  await expect(startDaemon(stack, { ...sleeper, command: '/no/such/program' })).rejects.toThrow(
    "can't start sleeper",
  )
})
