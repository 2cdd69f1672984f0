import type { Schemas } from '@slipway/client'

/** The pods of all components. */
export function podsOf(deployment: Schemas['Deployment'] | undefined): readonly Schemas['Pod'][] {
  return deployment?.components.flatMap(({ pods }) => pods) ?? []
}

/** How the container of a pod ended last; empty if it never ended. */
export function lastExit({ last_exit: exit }: Schemas['Pod']): string {
  return exit === undefined ? '' : `${exit.reason}, exit code ${exit.exit_code}`
}
