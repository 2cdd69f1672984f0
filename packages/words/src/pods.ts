import type { Schemas } from '@slipway/client'

/** The pods of all components. */
export function podsOf(deployment: Schemas['Deployment'] | undefined): readonly Schemas['Pod'][] {
  return deployment?.components.flatMap(({ pods }) => pods) ?? []
}

/** Whether a pod does what it should: it is ready, or it was a run that has ended well. */
export function isWell({ ready, phase }: Schemas['Pod']): boolean {
  return ready || phase === 'Succeeded'
}

/** How the container of a pod ended last; empty if it never ended. */
export function lastExit({ last_exit: exit }: Schemas['Pod']): string {
  return exit === undefined ? '' : `${exit.reason}, exit code ${exit.exit_code}`
}

/** How many pods of a component are ready, apart from those of an earlier revision. */
export function podCount({ pods }: Schemas['Component']): string {
  const current = pods.filter(({ former }) => former !== true)
  const ready = current.filter(isWell).length
  const earlier = pods.length - current.length
  return [
    ...(current.length === 0 ? [] : [`${ready} of ${current.length} ready`]),
    ...(earlier === 0 ? [] : [`${earlier} of an earlier revision`]),
  ].join(', ')
}
