import { agentOf, type Agent, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { usageError } from '../../errors/cli-error.ts'
import { GonePods } from './gone.ts'
import { isBefore, startOfLast } from './last-lines.ts'
import { previousLogs, type LogPart } from './previous.ts'
import type { LogEntry } from './result.ts'
import { viewEntry } from './view.ts'

/** The most lines of a container that the server returns. */
const MOST_LINES = 5000

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

/** Yields the last lines of all pods together, then new ones, with those of gone pods marked. */
async function* allLogs(
  cli: Cli,
  agent: Agent,
  { component, since, tail }: LogPart,
  follow: boolean,
): AsyncGenerator<LogEntry> {
  const gone = new GonePods(cli, agent)
  for await (const entry of lastAndNew()) yield await gone.mark(entry)

  async function* lastAndNew(): AsyncGenerator<LogEntry> {
    const client = await cli.client()
    const options = { component, since, tailLines: tail, signal: cli.signal }
    // The server has the last lines of each container.
    const last: LogEntry[] = []
    for await (const entry of client.agentLogs(agent, options)) last.push(entry)
    const start = startOfLast(last, tail)
    if (!follow) return yield* last.slice(start?.index)
    if (start === undefined) return yield* client.agentLogs(agent, { ...options, follow })
    const isEarlier = isBefore(start)
    const onward = { ...options, since: new Date(start.time), tailLines: MOST_LINES, follow }
    for await (const entry of client.agentLogs(agent, onward)) if (!isEarlier(entry)) yield entry
  }
}

function searched(entry: LogEntry): string {
  return entry.kind === 'line' ? entry.text : `${entry.reason}: ${entry.text}`
}
