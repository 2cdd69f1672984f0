import type { Schemas } from '@slipway/client'

type State = Schemas['DeploymentState']

/** How a state looks. The sign differs too, for those who don't see the color. */
const SIGNS: Readonly<Record<State, readonly [tone: string, sign: string]>> = {
  ready: ['good', '●'],
  progressing: ['busy', '◐'],
  degraded: ['warning', '▲'],
  failed: ['bad', '✖'],
  undeploying: ['faint', '◌'],
  undeployed: ['faint', '○'],
}

/** The state of a deployment or a component. */
export function StateBadge({ state }: { readonly state: State }) {
  const [tone, sign] = SIGNS[state]
  return (
    <span className={`badge ${tone}`}>
      <span aria-hidden="true">{sign}</span> {state}
    </span>
  )
}

/** The color of a state. */
export function toneOf(state: State): string {
  return SIGNS[state][0]
}
