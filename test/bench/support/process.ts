import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { waitFor } from '@slipway/testing'

const ROOT = resolve(import.meta.dirname, '../../..')
/**
 * What `/proc` counts processor time in: hundredths of a second on every Linux that Node runs on.
 */
const TICK_MS = 10

/** A process that is measured. */
export interface Measured extends AsyncDisposable {
  readonly pid: number
  /** Processor time that it has used so far, in milliseconds. */
  cpuMs(): number
  /** Memory that it holds, in MiB. */
  memoryMib(): number
}

/** What to run, and where its output goes. */
export interface MeasuredOptions {
  /** Path of the script from the repository's root. */
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** It is ready when this URL answers 200. */
  readonly readyUrl: string
  readonly nodeArgs?: readonly string[]
}

/** Starts a script in a Node process of its own and waits until it is ready. */
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
      throw new Error(`${options.script} ended:\n${readFileSync(options.logFile, 'utf8')}`)
  } catch (error) {
    await end(child)
    throw error
  }
  return {
    pid,
    cpuMs: () => cpuTicks(pid) * TICK_MS,
    memoryMib: () =>
      Math.round(Number(/^VmRSS:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024),
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

function cpuTicks(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

function readProc(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8')
}
