import { setTimeout as delay } from 'node:timers/promises'

import type { Schemas } from '@slipway/client'

import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { isMissing } from '../command/is-missing.ts'
import { withTimeLimit } from '../command/time-limit.ts'
import { LiveLines } from '../output/live-lines.ts'
import { isTransient } from './is-transient.ts'
import { readDeployment } from './read-deployment.ts'
import { hintLines, rolloutLines } from './rollout-lines.ts'
import { outcomeOf, type Outcome } from './rollout-outcome.ts'

/** How a rollout looks at the end of the wait. `pending`: it goes on. */
export interface Followed {
  readonly status: Outcome['status'] | 'pending'
  readonly why?: string
  readonly deployment?: Schemas['Deployment']
}

const POLL_MS = 1_000

/**
 * Shows the components and pods of a deployment, until the rollout of its revision has ended, for
 * at most this time. Ctrl-C ends the wait as well. If the server can't be reached, it waits on.
 */
export async function followRollout(
  cli: Cli,
  agent: Agent,
  { revision, timeoutSeconds }: { readonly revision: number; readonly timeoutSeconds: number },
): Promise<Followed> {
  const signal = withTimeLimit(cli, timeoutSeconds)
  const live = new LiveLines(cli.printer)
  let deployment: Schemas['Deployment'] | undefined
  try {
    for (;;) {
      const problem = await problemOf(
        async () => (deployment = await readDeployment(cli, agent, signal)),
      )
      if (problem === 'gone') return { status: 'failed', why: 'the agent was undeployed' }
      const hints = deployment?.revision === revision ? hintLines(deployment.failures ?? []) : []
      const shown = rolloutLines(deployment?.components ?? [], live.most - 1 - hints.length)
      live.update([...shown, ...hints, ...(problem === undefined ? [] : [{ text: problem }])])
      const outcome = deployment && problem === undefined && outcomeOf(deployment, revision)
      if (outcome) return { ...outcome, ...(deployment && { deployment }) }
      await delay(POLL_MS, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return { status: 'pending', ...(deployment && { deployment }) }
  } finally {
    live.end()
  }
}

/** What to show if the state could not be read, but may be later. */
async function problemOf(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (isMissing(error)) return 'gone'
    if (!isTransient(error)) throw error
    return 'the server does not answer; waiting for it …'
  }
}
