import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { waitFor } from '@slipway/testing'

const ROOT = resolve(import.meta.dirname, '../../..')
/** The unit of CPU time in `/proc`, the same on every Linux that Node supports. */
export const TICK_MS = 10

/** A process whose CPU time, memory and open files are measured. */
export interface Measured extends AsyncDisposable {
  readonly pid: number
  /** Returns the CPU time used so far, in milliseconds. */
  cpuMs(): number
  /** Returns the CPU time used so far by the threads of a name, in milliseconds. */
  threadCpuMs(name: string): number
  /** Returns the resident memory, in MiB. */
  memoryMib(): number
  /** Returns how many file descriptors are open. */
  openFiles(): number
}

/** A process to start. */
export interface MeasuredOptions {
  /** The script's path from the root of the repository. */
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** The process is ready when this URL returns 200. */
  readonly readyUrl: string
  readonly nodeArgs?: readonly string[]
}

/** Starts a script in a Node process, and waits until it is ready. Throws if it exits. */
export async function startMeasured(options: MeasuredOptions): Promise<Measured> {
  const log = openSync(options.logFile, 'a')
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), join(ROOT, options.script)], {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], ...options.env },
  })
  closeSync(log)
  const pid = child.pid ?? 0
  try {
    await waitFor(() => isReady(child, options.readyUrl), { what: `${options.script} to be ready` })
    if (child.exitCode !== null)
      throw new Error(`${options.script} exited:\n${readFileSync(options.logFile, 'utf8')}`)
  } catch (error) {
    await end(child)
    throw error
  }
  return {
    pid,
    cpuMs: () => cpuMsOf(pid),
    threadCpuMs: (name) => threadCpuMsOf(pid, name),
    memoryMib: () =>
      Math.round(Number(/^VmRSS:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024),
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
    [Symbol.asyncDispose]: () => end(child),
  }
}

async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  if (child.exitCode !== null) return true
  const response = await fetch(url)
  await response.body?.cancel()
  return response.ok
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exited
  clearTimeout(force)
}

/** Returns the CPU time that a process has used so far, in milliseconds. */
export function cpuMsOf(pid: number): number {
  return cpuMsIn(readProc(pid, 'stat'))
}

/** Threads that have ended don't count. */
function threadCpuMsOf(pid: number, name: string): number {
  const stats = readdirSync(`/proc/${pid}/task`).map((tid) => readProc(pid, `task/${tid}/stat`))
  return stats
    .filter((stat) => stat.includes(`(${name})`))
    .reduce((sum, stat) => sum + cpuMsIn(stat), 0)
}

function cpuMsIn(stat: string): number {
  const fields = stat.split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function readProc(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8')
}
