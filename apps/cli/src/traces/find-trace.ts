import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { CliError } from '../errors/cli-error.ts'

const WHOLE = /^[\da-f]{32}$/
const START = /^[\da-f]{4,31}$/
/** Traces to look through for the start of an id. */
const RECENT = 500

/** A trace as the user names it: its id, the start of its id, or `latest`. */
export function parseTraceName(text: string): string {
  const name = text.toLowerCase()
  if (name === 'latest' || WHOLE.test(name) || START.test(name)) return name
  throw new Error(`"${text}" is not the id of a trace, nor its first 4 digits or more, nor latest`)
}

/** The id of a trace. Short ones are looked for in the newest traces of the last 24 hours. */
export async function findTrace(cli: Cli, agent: Agent, name: string): Promise<string> {
  if (WHOLE.test(name)) return name
  const client = await cli.client()
  const isLatest = name === 'latest'
  const { data } = await client.GET('/api/v1/agents/{account}/{name}/observability/traces', {
    params: { path: agent, query: { limit: isLatest ? 1 : RECENT } },
    signal: cli.signal,
  })
  const found = data.traces.filter(({ trace_id: id }) => isLatest || id.startsWith(name))
  if (found.length === 1 && found[0] !== undefined) return found[0].trace_id
  const list = `slipway traces ${agent.name}`
  if (found.length > 1)
    throw new CliError(`${found.length} traces begin with ${name}`, {
      code: 'trace_ambiguous',
      next: `more digits: ${found
        .slice(0, 3)
        .map(({ trace_id: id }) => id)
        .join(', ')}`,
    })
  if (isLatest)
    throw new CliError(`${agent.name} has sent no traces in the last 24 hours`, {
      code: 'trace_not_found',
      next:
        `traces arrive some seconds after an answer; ${list} --since 7d shows older ones. ` +
        'An agent that sends none has no OpenTelemetry SDK: docs/guide/frameworks has lines for it',
    })
  throw new CliError(`no trace begins with ${name}`, {
    code: 'trace_not_found',
    why: `it is not among the newest ${RECENT} of the last 24 hours`,
    next: `the whole id, from ${list} --since 7d --json`,
  })
}
