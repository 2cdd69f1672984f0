import { setTimeout as delay } from 'node:timers/promises'

import type { Schemas } from '@slipway/client'

import { agentOf, type Agent } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { withTimeLimit } from '../../command/time-limit.ts'
import { splitName } from '../../deployments/agent-and-last.ts'
import { isTransient } from '../../deployments/is-transient.ts'
import { exitCodes } from '../../errors/exit-code.ts'
import { fields, hint, lines } from '../../output/blocks.ts'
import { LiveLines } from '../../output/live-lines.ts'
import { sayBelow } from '../../output/say-below.ts'

export interface TriggerFlags {
  readonly wait: boolean
  readonly timeout: number
}

type Run = Schemas['IngestionRun']

const POLL_MS = 1_000
const RUNS = '/api/v1/agents/{account}/{name}/deployment/ingestions/{ingestion}/runs'

/** The runs whose end was waited for. */
const waited = new WeakSet<Run>()

export const trigger: Implementation<TriggerFlags, [agent?: string, ingestion?: string], Run> = {
  async run(cli, { wait, timeout }, first, second) {
    const { agent: given, name: ingestion } = splitName(first, second, 'the name of an ingestion')
    const agent = await agentOf(cli, given)
    const client = await cli.client()
    const path = { account: agent.account, name: agent.name, ingestion }
    const run = (await client.POST(RUNS, { params: { path }, signal: cli.signal })).data
    if (!wait) return run
    const last = await untilEnded(cli, agent, { ingestion, run, timeoutSeconds: timeout })
    waited.add(last)
    return last
  },

  view: (run) => [
    fields({
      run: run.name,
      state: { text: run.state, style: run.state === 'failed' ? 'bad' : 'accent' },
      reason: run.reason,
      'exit code': run.exit_code === undefined ? undefined : String(run.exit_code),
      attempts: String(run.attempts),
    }),
    ...(run.last_lines === undefined ? [] : [lines(...run.last_lines)]),
    ...(isOver(run) ? [] : [hint('the run goes on: slipway logs, slipway status')]),
  ],

  exitCode(run) {
    if (run.state === 'failed' || run.state === 'canceled') return exitCodes.deployFailed
    return waited.has(run) && !isOver(run) ? exitCodes.pending : exitCodes.ok
  },
}

interface Waiting {
  readonly ingestion: string
  readonly run: Run
  readonly timeoutSeconds: number
}

async function untilEnded(
  cli: Cli,
  agent: Agent,
  { ingestion, run, timeoutSeconds }: Waiting,
): Promise<Run> {
  const signal = withTimeLimit(cli, timeoutSeconds)
  const live = new LiveLines(cli.printer)
  let latest = run
  try {
    while (!isOver(latest)) {
      live.update([{ text: `${latest.name}: ${latest.state}` }])
      await delay(POLL_MS, undefined, { signal })
      latest = (await find(cli, agent, { ingestion, name: run.name, signal })) ?? latest
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    live.end()
  }
  if (cli.signal.aborted) sayBelow(cli.printer, 'detached: the run goes on')
  return latest
}

async function find(
  cli: Cli,
  agent: Agent,
  { ingestion, name, signal }: { ingestion: string; name: string; signal: AbortSignal },
): Promise<Run | undefined> {
  const client = await cli.client()
  const path = { account: agent.account, name: agent.name, ingestion }
  const params = { path, query: { limit: 20 } }
  try {
    const { runs } = (await client.GET(RUNS, { params, signal })).data
    return runs.find((each) => each.name === name)
  } catch (error) {
    if (!isTransient(error)) throw error
    return undefined
  }
}

function isOver({ state }: Run): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'canceled'
}
