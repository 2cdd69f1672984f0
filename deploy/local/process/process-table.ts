import { readFileSync } from 'node:fs'

/** Identifies a process, even after its id has been reused. */
export interface ProcessIdentity {
  readonly pid: number
  /** In clock ticks since boot, as in /proc/PID/stat. */
  readonly startTime: number
}

/** Whether this process still runs; a zombie doesn't. */
export function isProcessAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid)
  return (
    stat !== undefined &&
    stat.startTime === identity.startTime &&
    stat.state !== 'Z' &&
    stat.state !== 'X'
  )
}

/** Returns when a process started, in ticks since boot; undefined if there is no such process. */
export function processStartTime(pid: number): number | undefined {
  return readStat(pid)?.startTime
}

function readStat(pid: number): { state: string; startTime: number } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses, which may itself have parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTime: Number(fields[19]) }
}
