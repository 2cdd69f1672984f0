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
