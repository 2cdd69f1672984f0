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

test('starts a daemon once, writes its log, and stops it', async () => {
  expect(await startDaemon(stack, sleeper)).toEqual({ started: true })
  expect(await startDaemon(stack, sleeper)).toEqual({ started: false })
  const log = () => readFileSync(join(stack.runDir, 'sleeper.log'), 'utf8')
  await waitUntil('it speaks', () => log().includes('awake'), { timeoutMs: 60_000, stack })
  await stopDaemon(stack, 'sleeper')
  expect(daemonState(stack, 'sleeper')).toBe('stopped')
})

test('reports a killed daemon as crashed, and starts it again', async () => {
  await startDaemon(stack, sleeper)
  process.kill(daemonPid(stack, 'sleeper') ?? 0, 'SIGKILL')
  await waitUntil('it is dead', () => daemonState(stack, 'sleeper') === 'crashed', {
    timeoutMs: 60_000,
    stack,
  })
  expect(await startDaemon(stack, sleeper)).toEqual({ started: true })
})

test('kills a daemon that ignores TERM', async () => {
  const deaf = { ...sleeper, args: ['-c', 'trap "" TERM; echo deaf; while :; do sleep 1000; done'] }
  await startDaemon(stack, deaf)
  const log = () => readFileSync(join(stack.runDir, 'sleeper.log'), 'utf8')
  await waitUntil('it is deaf', () => log().includes('deaf'), { timeoutMs: 60_000, stack })
  await stopDaemon(stack, 'sleeper', { graceMs: 100 })
  expect(daemonState(stack, 'sleeper')).toBe('stopped')
})

test('applyDaemon replaces a daemon only if its arguments or environment changed', async () => {
  await applyDaemon(stack, sleeper)
  expect(await applyDaemon(stack, sleeper)).toEqual({ started: false })
  const before = daemonPid(stack, 'sleeper')
  expect(await applyDaemon(stack, { ...sleeper, env: { MORE: '1' } })).toEqual({ started: true })
  expect(daemonPid(stack, 'sleeper')).not.toBe(before)
})

test('does not report or kill another process that has the old id', async () => {
  writeFileSync(join(stack.runDir, 'sleeper.pid'), `${process.pid} 1 x\n`)
  expect(daemonState(stack, 'sleeper')).toBe('crashed')
  await stopDaemon(stack, 'sleeper')
  expect(daemonState(stack, 'sleeper')).toBe('stopped')
})

test('stops waiting when the daemon ends, with the last lines of its log', async () => {
  await startDaemon(stack, { ...sleeper, args: ['-c', 'echo first; echo the reason >&2; exit 3'] })
  const waiting = waitUntil('ready', () => false, { timeoutMs: 60_000, daemon: 'sleeper', stack })
  await expect(waiting).rejects.toThrow(
    /sleeper exited \(waiting until: ready\)\nfirst\nthe reason/,
  )
})

test('throws for a command that does not exist', async () => {
  await expect(startDaemon(stack, { ...sleeper, command: '/no/such/program' })).rejects.toThrow(
    "can't start sleeper",
  )
})
