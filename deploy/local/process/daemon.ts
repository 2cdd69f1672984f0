import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isProcessAlive, processStartTime } from './process-table.ts'
import type { ProcessIdentity } from './process-table.ts'
import type { Stack } from '../stack/stack.ts'

/**
 * A background process of the stack. It inherits only PATH, HOME, the locale, the trusted
 * certificates and performance settings from the environment of `up`.
 */
export interface DaemonSpec {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
}

/** `crashed`: it was started, but is no longer running although nothing stopped it. */
export type DaemonState = 'running' | 'crashed' | 'stopped'

type RunDirectory = Pick<Stack, 'runDir'>

const MAX_LOG_BYTES = 20 * 1024 * 1024

/**
 * Starts a process that outlives this one, unless it is already running. Its output goes to
 * `<runDir>/<name>.log`.
 */
export async function startDaemon(
  stack: RunDirectory,
  spec: DaemonSpec,
): Promise<{ started: boolean }> {
  if (isDaemonAlive(stack, spec.name)) return { started: false }
  const logFile = daemonLog(stack, spec.name)
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES)
    renameSync(logFile, `${logFile}.1`)
  const log = openSync(logFile, 'a', 0o640)
  if (spec.uid !== undefined && spec.gid !== undefined) chownSync(logFile, spec.uid, spec.gid)
  try {
    const child = spawn(spec.command, spec.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...inheritedEnvironment(), ...spec.env },
      cwd: spec.cwd ?? stack.runDir,
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    })
    // Written before anything else: if `up` is killed here, `down` still finds the process.
    if (child.pid !== undefined) writePidFile(stack, spec, child.pid)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (cause) =>
        reject(new Error(`can't start ${spec.name} (${spec.command})`, { cause })),
      )
    })
    child.unref()
  } finally {
    closeSync(log)
  }
  return { started: true }
}

/** Starts a daemon. Replaces a running one if its command, arguments or environment differ. */
export async function applyDaemon(
  stack: RunDirectory,
  spec: DaemonSpec,
): Promise<{ started: boolean }> {
  const recorded = readPidFile(stack, spec.name)
  if (recorded && recorded.fingerprint !== fingerprint(spec)) await stopDaemon(stack, spec.name)
  return startDaemon(stack, spec)
}

/**
 * Whether the daemon runs. A zombie doesn't count, nor does another process that has reused the id.
 */
export function isDaemonAlive(stack: RunDirectory, name: string): boolean {
  return daemonState(stack, name) === 'running'
}

/** Returns whether a daemon runs, has crashed, or was stopped or never started. */
export function daemonState(stack: RunDirectory, name: string): DaemonState {
  const recorded = readPidFile(stack, name)
  if (!recorded) return 'stopped'
  return isProcessAlive(recorded) ? 'running' : 'crashed'
}

/** Returns the daemon's process id, or undefined if it doesn't run. */
export function daemonPid(stack: RunDirectory, name: string): number | undefined {
  return isDaemonAlive(stack, name) ? readPidFile(stack, name)?.pid : undefined
}

/** Stops a daemon: a signal (default TERM), then KILL after `graceMs` (default 10 seconds). */
export async function stopDaemon(
  stack: RunDirectory,
  name: string,
  options: { signal?: NodeJS.Signals; graceMs?: number } = {},
): Promise<void> {
  const recorded = readPidFile(stack, name)
  if (recorded) {
    signalIfAlive(recorded, options.signal ?? 'SIGTERM')
    if (!(await isGoneWithin(recorded, options.graceMs ?? 10_000))) {
      signalIfAlive(recorded, 'SIGKILL')
      if (!(await isGoneWithin(recorded, 5_000)))
        throw new Error(`${name} (process ${recorded.pid}) can't be killed`)
    }
  }
  rmSync(daemonFile(stack, name, 'pid'), { force: true })
}

/**
 * Waits until `check` returns true; `condition` describes it in errors. Throws, with the last lines
 * of the daemon's log, if the daemon exits or after `timeoutMs`.
 */
export async function waitUntil(
  condition: string,
  check: () => Promise<boolean> | boolean,
  options: { timeoutMs: number; daemon?: string; stack: RunDirectory },
): Promise<void> {
  const deadline = performance.now() + options.timeoutMs
  const { daemon, stack } = options
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 250)) {
    if (await check()) return
    if (daemon !== undefined && !isDaemonAlive(stack, daemon)) {
      throw new Error(
        `${daemon} exited (waiting until: ${condition})\n${logTail(stack, daemon, 15)}`,
      )
    }
    if (performance.now() > deadline) {
      const tail = daemon === undefined ? '' : `\n${logTail(stack, daemon, 15)}`
      const seconds = Math.round(options.timeoutMs / 1000)
      throw new Error(`timed out after ${seconds} s (waiting until: ${condition})${tail}`)
    }
    await sleep(pauseMs)
  }
}

/** The file that a daemon's output is written to. */
export function daemonLog(stack: RunDirectory, name: string): string {
  return daemonFile(stack, name, 'log')
}

/** Returns the last lines of a daemon's log, without empty ones. */
export function logTail(stack: RunDirectory, name: string, lines: number): string {
  let text = ''
  try {
    text = readFileSync(daemonLog(stack, name), 'utf8')
  } catch {
    return ''
  }
  const written = text.split('\n').filter((line) => line.trim() !== '')
  return written.slice(-lines).join('\n')
}

interface PidFile extends ProcessIdentity {
  readonly fingerprint: string
}

function writePidFile(stack: RunDirectory, spec: DaemonSpec, pid: number): void {
  const file = daemonFile(stack, spec.name, 'pid')
  // A process that has already ended has no start time. 0 matches no process, so it counts as
  // crashed.
  writeFileSync(`${file}.new`, `${pid} ${processStartTime(pid) ?? 0} ${fingerprint(spec)}\n`)
  renameSync(`${file}.new`, file)
}

function readPidFile(stack: RunDirectory, name: string): PidFile | undefined {
  let text: string
  try {
    text = readFileSync(daemonFile(stack, name, 'pid'), 'utf8')
  } catch {
    return undefined
  }
  const [pid, startTime, print] = text.trim().split(' ')
  return { pid: Number(pid), startTime: Number(startTime), fingerprint: print ?? '' }
}

function daemonFile(stack: RunDirectory, name: string, extension: string): string {
  return join(stack.runDir, `${name}.${extension}`)
}

function fingerprint(spec: DaemonSpec): string {
  return createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16)
}

function inheritedEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const key of [
    'PATH',
    'HOME',
    'LANG',
    'TZ',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'NODE_COMPILE_CACHE',
    'GOGC',
  ]) {
    const value = process.env[key]
    if (value !== undefined) kept[key] = value
  }
  // A user's PATH often lacks the directories of iptables, ip and similar programs.
  kept['PATH'] = `${kept['PATH'] ?? '/usr/bin:/bin'}:/usr/local/sbin:/usr/sbin:/sbin`
  return kept
}

function signalIfAlive(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isProcessAlive(identity)) return
  try {
    process.kill(identity.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function isGoneWithin(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isProcessAlive(identity)) {
    if (performance.now() > deadline) return false
    await sleep(20)
  }
  return true
}
