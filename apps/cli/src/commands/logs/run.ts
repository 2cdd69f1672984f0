import { agentOf, type Agent, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/define.ts'
import { usageError } from '../../errors/cli-error.ts'
import { GonePods, linesToSkip, skips } from './gone.ts'
import { previousLogs, type LogPart } from './previous.ts'
import type { LogEntry } from './result.ts'
import { viewEntry } from './view.ts'

/** What the server keeps of the log of a pod that is gone. */
const KEPT_LINES = 50

export interface LogsFlags {
  readonly follow: boolean
  readonly since?: Date
  readonly tail: number
  readonly component?: string
  readonly previous: boolean
  readonly grep?: string
  readonly ignoreCase: boolean
  readonly timestamps: boolean
  readonly events: boolean
}

export const logs: Implementation<LogsFlags, [agent?: AgentReference], LogEntry> = {
  async *run(cli, flags, reference) {
    const { follow, since, tail, component, previous, grep, ignoreCase, events } = flags
    if (previous && follow)
      throw usageError('--previous and --follow contradict each other: an earlier run has ended')
    const pattern = grep === undefined ? undefined : new RegExp(grep, ignoreCase ? 'i' : '')
    const agent = await agentOf(cli, reference)
    const { signal } = cli
    const part = { component, since, tail }
    const entries = previous ? previousLogs(cli, agent, part) : allLogs(cli, agent, part, follow)
    let all = 0
    let shown = 0
    for await (const entry of entries) {
      if (entry.kind === 'event' && !events) continue
      all += 1
      if (pattern !== undefined && !pattern.test(searched(entry))) continue
      shown += 1
      yield entry
    }
    if (pattern !== undefined) cli.printer.say(`${shown} of ${all} lines match`)
    else if (all === 0 && !signal.aborted) cli.printer.say('no lines')
  },

  view: (entry, { printer }, { timestamps }) => [viewEntry(entry, timestamps, printer.isTerminal)],
}

/** Yields the logs of all pods, with those that are gone marked and cut. */
async function* allLogs(
  cli: Cli,
  agent: Agent,
  { component, since, tail }: LogPart,
  follow: boolean,
): AsyncGenerator<LogEntry> {
  const client = await cli.client()
  const gone = new GonePods(cli, agent)
  const options = { component, since, tailLines: tail, signal: cli.signal }
  // What a log has of pods that are gone is only known at its end.
  const whole: LogEntry[] = []
  if (tail < KEPT_LINES)
    for await (const entry of client.agentLogs(agent, options)) whole.push(await gone.mark(entry))
  const left = linesToSkip(whole, tail)
  const entries =
    follow || tail >= KEPT_LINES ? client.agentLogs(agent, { ...options, follow }) : whole
  for await (const entry of entries) {
    const marked = await gone.mark(entry)
    if (!skips(marked, left)) yield marked
  }
}

function searched(entry: LogEntry): string {
  return entry.kind === 'line' ? entry.text : `${entry.reason}: ${entry.text}`
}
