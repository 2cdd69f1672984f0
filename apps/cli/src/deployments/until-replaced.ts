import { setTimeout as delay } from 'node:timers/promises'

import type { Schemas } from '@slipway/client'

import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { LiveLines } from '../output/live-lines.ts'
import { isTransient } from './is-transient.ts'
import { readDeployment } from './read-deployment.ts'
import { rolloutLines, TERMINATING } from './rollout-lines.ts'

/** A pod that was deleted. */
export interface DeletedPod {
  /** As it was before. */
  readonly pod: Schemas['Pod']
  readonly component: string
  readonly signal: AbortSignal
}

const POLL_MS = 500
/**
 * When a pod that still looks as before counts as replaced. Pods of a StatefulSet keep their names,
 * and one that starts fast could be ready again between two looks.
 */
const SETTLED_MS = 15_000

/** Waits until a component is ready without a deleted pod. False if the signal aborts first. */
export async function untilReplaced(
  cli: Cli,
  agent: Agent,
  { pod, component, signal }: DeletedPod,
): Promise<boolean> {
  const live = new LiveLines(cli.printer)
  const start = performance.now()
  let hasChanged = false
  try {
    for (;;) {
      const found = await readComponent(cli, agent, component, signal)
      if (found !== undefined) {
        live.update(rolloutLines([found], live.most))
        hasChanged ||= !isAsBefore(found, pod) || performance.now() - start > SETTLED_MS
        if (hasChanged && isReadyWithout(found, pod)) return true
      }
      await delay(POLL_MS, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  } finally {
    live.end()
  }
}

async function readComponent(
  cli: Cli,
  agent: Agent,
  name: string,
  signal: AbortSignal,
): Promise<Schemas['Component'] | undefined> {
  try {
    const { components } = await readDeployment(cli, agent, signal)
    return components.find((each) => each.name === name)
  } catch (error) {
    if (!isTransient(error)) throw error
    return undefined
  }
}

function isAsBefore({ pods }: Schemas['Component'], before: Schemas['Pod']): boolean {
  const same = pods.find(({ name }) => name === before.name)
  return same?.phase === before.phase && same.ready === before.ready
}

function isReadyWithout({ state, pods }: Schemas['Component'], { name }: Schemas['Pod']): boolean {
  const isTerminating = pods.some((each) => each.name === name && each.phase === TERMINATING)
  return state === 'ready' && !isTerminating
}
