import type { Schemas } from '@slipway/client'

import { cleanLine } from '../output/clean.ts'
import type { Printer } from '../output/printer.ts'
import type { Style } from '../output/style.ts'
import { shorten } from '../output/width.ts'

type Component = Schemas['Component']
type Pod = Schemas['Pod']

/** How lines are fitted to a terminal. */
export interface LineOptions {
  readonly columns: number
  /** The most lines; the last one says how many are missing. */
  readonly most: number
  readonly paint: (text: string, style: Style) => string
}

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

/** A line for each component and each of its pods, those that aren't ready first if not all fit. */
export function rolloutLines(
  components: readonly Component[],
  { columns, most, paint }: LineOptions,
): readonly string[] {
  const all = components.flatMap((component) => [
    { text: componentText(component), style: STYLES[component.state] },
    ...component.pods.map((pod) => ({ text: podText(pod), style: podStyle(pod) })),
  ])
  const shown = all.length <= most ? all : all.filter(({ style }) => style !== 'good')
  const kept = shown.slice(0, shown.length < all.length ? most - 1 : most)
  const missing = all.length - kept.length
  const more = missing === 0 ? [] : [{ text: `and ${missing} more`, style: 'faint' as const }]
  return [...kept, ...more].map(({ text, style }) =>
    paint(shorten(cleanLine(text), columns), style),
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

/** The options for the standard error of a process. */
export function lineOptionsOf(printer: Printer): LineOptions {
  const isLive = printer.hasLiveProgress
  return {
    columns: isLive ? printer.progressScreen.columns : Infinity,
    most: isLive ? printer.progressRows - 1 : Infinity,
    paint: (text, style) => printer.styled(text, style),
  }
}
