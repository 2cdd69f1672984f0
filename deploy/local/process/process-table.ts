import { readFileSync } from 'node:fs'

/** A process told apart from any later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number
  /** In clock ticks since boot, as in /proc/PID/stat. */
  readonly startTime: number
}

/** Whether that very process runs. One that has ended and waits to be reaped doesn't. */
export function isProcessAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid)
  return (
    stat !== undefined &&
    stat.startTime === identity.startTime &&
    stat.state !== 'Z' &&
    stat.state !== 'X'
  )
}

/** When a process started, in ticks since boot; undefined when there is none. */
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
  // The second field is the program's name in parentheses and may hold anything, parentheses
  // included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTime: Number(fields[19]) }
}
