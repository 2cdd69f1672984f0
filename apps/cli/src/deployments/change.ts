import type { Schemas } from '@slipway/client'

import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { exitCodes, type ExitCode } from '../errors/exit-code.ts'
import { LiveLines } from '../output/live-lines.ts'
import { sayBelow } from '../output/say-below.ts'
import { followRollout } from './follow-rollout.ts'
import { objectCount } from './plan-view.ts'

/** How long a command waits for the pods. */
export interface WaitFlags {
  readonly detach: boolean
  readonly timeout: number
}

/** What has become of a deploy or a rollback. */
export interface Change {
  /** `started`: no one waited for the pods. `pending`: they were not ready in time. */
  readonly status: 'started' | 'ready' | 'failed' | 'pending'
  readonly account: string
  readonly why?: string
  readonly result: Schemas['DeployResult']
  readonly deployment?: Schemas['Deployment']
}

/** Exit codes by the status of a change. */
export const changeExitCodes: Readonly<Record<Change['status'], ExitCode>> = {
  started: exitCodes.ok,
  ready: exitCodes.ok,
  failed: exitCodes.deployFailed,
  pending: exitCodes.pending,
}

/**
 * Sends a change, shows what the cluster did with each object that `plan` hasn't shown, and follows
 * the pods. Ctrl-C does not break the request off, because the server would go on: the command then
 * waits for the answer.
 */
export async function executeChange(
  cli: Cli,
  agent: Agent,
  { detach, timeout }: WaitFlags,
  send: () => Promise<Schemas['DeployResult']>,
  plan: readonly Schemas['PlannedChange'][] = [],
): Promise<Change> {
  const result = await untilAnswered(cli, send, 'applying …')
  showResources(cli, result, plan)
  const { revision, errors } = result
  const change = { account: agent.account, result }
  if (detach) {
    if (result.status === 'success') return { ...change, status: 'started' }
    return { ...change, status: 'failed', why: errors.join('\n') }
  }
  const followed = await followRollout(cli, agent, { revision, timeoutSeconds: timeout })
  if (cli.signal.aborted) sayBelow(cli.printer, 'detached: the rollout goes on')
  const isPartial = followed.status === 'ready' && result.status === 'partial'
  return { ...change, ...followed, ...(isPartial && { status: 'failed', why: errors.join('\n') }) }
}

/**
 * Sends a change, with these words while it waits for the answer. Ctrl-C does not break the request
 * off, because the server would go on.
 */
export async function untilAnswered<Answer>(
  { printer, signal }: Cli,
  send: () => Promise<Answer>,
  words: string,
): Promise<Answer> {
  signal.throwIfAborted()
  const live = new LiveLines(printer)
  if (printer.hasLiveProgress) live.update([{ text: words, style: 'faint' }])
  const onInterrupt = () => {
    live.end()
    sayBelow(printer, 'waiting for the answer of the server; Ctrl-C again leaves without it')
  }
  signal.addEventListener('abort', onInterrupt, { once: true })
  try {
    return await send()
  } catch (error) {
    // Nothing may have been applied: the error says what is known.
    if (printer.hasLiveProgress) live.update([])
    throw error
  } finally {
    signal.removeEventListener('abort', onInterrupt)
    live.end()
  }
}

/** Shows what happened to each object; those that were applied as planned are counted. */
function showResources(
  { printer }: Cli,
  { resources, warnings = [] }: Schemas['DeployResult'],
  plan: readonly Schemas['PlannedChange'][],
): void {
  const planned = new Set(plan.filter(isChange).map(nameOf))
  const changed = resources.filter(({ status }) => status !== 'unchanged')
  const asPlanned = changed.filter((each) => each.status !== 'failed' && planned.has(nameOf(each)))
  if (asPlanned.length > 0) printer.say(`applied ${objectCount(asPlanned.length)} as planned`)
  for (const resource of changed) {
    if (asPlanned.includes(resource)) continue
    const { status, message } = resource
    const why = message === undefined ? '' : `: ${message}`
    printer.say(`${status} ${nameOf(resource)}${why}`, status === 'failed' ? 'bad' : 'faint')
  }
  for (const warning of warnings) printer.say(`warning: ${warning}`, 'warning')
}

function isChange({ action }: Schemas['PlannedChange']): boolean {
  return action !== 'unchanged' && action !== 'rejected'
}

function nameOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}/${name}`
}
