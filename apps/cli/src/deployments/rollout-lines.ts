import type { Schemas } from '@slipway/client'

import type { Text } from '../output/blocks.ts'
import type { Style } from '../output/style.ts'
import { asOptions } from './as-options.ts'

type Component = Schemas['Component']
type Pod = Schemas['Pod']

/** The phase of a pod that is being deleted. */
export const TERMINATING = 'Terminating'

const STYLES: Readonly<Record<Schemas['DeploymentState'], Style>> = {
  progressing: 'accent',
  ready: 'good',
  degraded: 'warning',
  failed: 'bad',
  undeploying: 'warning',
  undeployed: 'faint',
}

/**
 * A line for each component and each of its pods, at most `most`. If there are more: those of what
 * isn't ready, and the last one says how many are missing.
 */
export function rolloutLines(components: readonly Component[], most: number): readonly Text[] {
  const all = components.flatMap((component) => [
    { text: componentText(component), style: STYLES[component.state] },
    ...component.pods.map((pod) => ({ text: podText(pod), style: podStyle(pod) })),
  ])
  const shown = all.length <= most ? all : all.filter(({ style }) => style !== 'good')
  const kept = shown.slice(0, shown.length < all.length ? most - 1 : most)
  const missing = all.length - kept.length
  const more = missing === 0 ? [] : [{ text: `and ${missing} more`, style: 'faint' as const }]
  return [...kept, ...more]
}

/** What the log of a program says already, long before the wait for it ends. */
export function hintLines(failures: readonly Schemas['ComponentFailure'][]): readonly Text[] {
  return failures.flatMap(({ component, log_steps: [step] = [] }) =>
    step === undefined ? [] : [{ text: `${component}: ${asOptions(step)}`, style: 'warning' }],
  )
}

function componentText({ name, state, reason }: Component): string {
  return `${name}: ${state}${reason === undefined ? '' : `: ${reason}`}`
}

function podText({ name, phase, ready, restarts, reason, last_exit: exit }: Pod): string {
  const state = phase === TERMINATING ? 'terminating' : ready ? 'ready' : (reason ?? phase)
  if (restarts === 0) return `  pod ${name}: ${state}`
  const after = exit === undefined ? '' : ` (last exit: ${exit.reason}, code ${exit.exit_code})`
  return `  pod ${name}: ${state}, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}${after}`
}

function podStyle({ ready, phase, reason }: Pod): Style {
  if (phase === TERMINATING) return 'faint'
  if (ready) return 'good'
  return reason === undefined ? 'accent' : 'warning'
}
