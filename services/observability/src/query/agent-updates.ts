import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { trimmed, withChanges, type AgentHour, type AgentHours } from './agent-hours.ts'
import { readChangedHours } from './changed-hours.ts'
import { readChangedTraces } from './changed-traces.ts'
import type { TraceScope } from './traces-sql.ts'

/**
 * The time after which a span with a version is visible to queries. Includes the difference between
 * the clocks of replicas.
 */
const VISIBLE_AFTER_US = 600_000_000
const US_PER_HOUR = 3.6e9
const HOURS_PER_DAY = 24
const MAX_FUTURE_HOURS = 48

/**
 * Brings what is known of an agent up to date; nothing may be known. If more than `maxSpans` have
 * arrived, their traces are not read one by one.
 */
export async function updatedHours(
  reader: TraceReader,
  scope: TraceScope,
  known: AgentHours | undefined,
  maxSpans: number,
): Promise<AgentHours> {
  const version = Math.max(0, scope.settledBeforeUs - VISIBLE_AFTER_US)
  // A clock that was far ahead has given a version whose spans may still arrive.
  if (known === undefined || known.version > version + VISIBLE_AFTER_US)
    return { version, included: new Set(), hours: new Map() }
  const changed = await readChangedTraces(reader, scope, known, maxSpans)
  return {
    version: Math.max(version, known.version),
    included: changed?.included ?? new Set(),
    hours:
      changed === undefined
        ? await withoutChanged(reader, scope, known)
        : withChanges(known.hours, changed.traces),
  }
}

/** Drops the hours that may list traces with spans that have arrived since. */
async function withoutChanged(
  reader: TraceReader,
  scope: TraceScope,
  { version, hours }: AgentHours,
): Promise<ReadonlyMap<number, AgentHour>> {
  const sorted = [...hours.keys()].toSorted((a, b) => a - b)
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  if (first === undefined || last === undefined) return hours
  const changed = await readChangedHours(reader, scope, { first, last, since: version })
  return new Map([...hours].filter(([hour]) => !changed.has(hour)))
}

/** Drops what is no longer shown of the hours of an agent, and what takes too much memory. */
export function withinBounds(scope: TraceScope, state: AgentHours): AgentHours {
  const now = scope.settledBeforeUs / US_PER_HOUR
  return { ...state, hours: trimmed(state.hours, now - scope.retentionDays * HOURS_PER_DAY - 1) }
}

/** The last hour that can have traces. Spans that start later than in a day are rejected. */
export function lastHourOf({ settledBeforeUs }: TraceScope): number {
  return Math.ceil(settledBeforeUs / US_PER_HOUR) + MAX_FUTURE_HOURS
}

/** Identifies an agent. */
export function keyOf({ accountId, agent, agentId }: TracedAgent): string {
  return [accountId, agentId, agent].join('/')
}
