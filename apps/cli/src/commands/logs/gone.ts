import type { Agent } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import { isMissing } from '../../command/is-missing.ts'
import { readDeployment } from '../../deployments/read-deployment.ts'
import type { LogEntry } from './result.ts'

/** Says of each pod whether it is gone. Asks the server again about those that it doesn't know. */
export class GonePods {
  readonly #gone = new Map<string, boolean>()
  readonly #cli: Cli
  readonly #agent: Agent
  #present = new Set<string>()

  constructor(cli: Cli, agent: Agent) {
    this.#cli = cli
    this.#agent = agent
  }

  /** Marks lines of pods that are gone. */
  async mark(entry: LogEntry): Promise<LogEntry> {
    if (entry.kind !== 'line' || entry.pod === '' || !(await this.#isGone(entry.pod))) return entry
    return { ...entry, is_gone: true }
  }

  async #isGone(pod: string): Promise<boolean> {
    const known = this.#gone.get(pod)
    if (known !== undefined) return known
    if (!this.#present.has(pod)) this.#present = await this.#read()
    const isGone = !this.#present.has(pod)
    if (isGone && ![...this.#gone.values()].includes(true))
      this.#cli.printer.say('some lines are of deleted pods, which had failed')
    this.#gone.set(pod, isGone)
    return isGone
  }

  async #read(): Promise<Set<string>> {
    try {
      const { components } = await readDeployment(this.#cli, this.#agent, this.#cli.signal)
      return new Set(components.flatMap(({ pods }) => pods.map(({ name }) => name)))
    } catch (error) {
      if (isMissing(error)) return new Set()
      throw error
    }
  }
}

/**
 * Counts the lines to leave out of each container whose pod is gone, so that `tail` are left: the
 * server has the end of these logs, and does not shorten it.
 */
export function linesToSkip(entries: readonly LogEntry[], tail: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind !== 'line' || entry.is_gone !== true) continue
    const origin = originOf(entry)
    counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  return new Map([...counts].map(([origin, count]) => [origin, Math.max(0, count - tail)]))
}

/** Whether a line is to be left out. Counts it if so. */
export function skips(entry: LogEntry, left: Map<string, number>): boolean {
  if (entry.kind !== 'line' || entry.is_gone !== true) return false
  const count = left.get(originOf(entry)) ?? 0
  if (count > 0) left.set(originOf(entry), count - 1)
  return count > 0
}

function originOf({ pod, container }: LogEntry & { kind: 'line' }): string {
  return `${pod}[${container}]`
}
