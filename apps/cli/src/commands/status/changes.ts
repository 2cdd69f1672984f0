import type { Schemas } from '@slipway/client'
import { lastExit, podsOf } from '@slipway/words/pods'

import { STATE_STYLES } from '../../deployments/states.ts'
import type { Change, Deployment, State } from './types.ts'

type Pod = Schemas['Pod']

/** What has changed in a deployment. At first, all of its states are. */
export function changesBetween(
  before: Deployment | undefined,
  after: Deployment,
  now = new Date(),
): Change[] {
  const time = now.toISOString()
  const changes: Omit<Change, 'time'>[] = []
  if (before?.revision !== after.revision)
    changes.push({ object: 'deployment', text: `revision ${after.revision}, ${after.build_id}` })
  if (before === undefined || stateText(before) !== stateText(after))
    changes.push({ object: 'deployment', text: stateText(after), style: STATE_STYLES[after.state] })
  const earlier = new Map(before?.components.map((component) => [component.name, component]))
  for (const component of after.components) {
    const known = earlier.get(component.name)
    if (known === undefined || stateText(known) !== stateText(component)) {
      const style = STATE_STYLES[component.state]
      changes.push({ object: component.name, text: stateText(component), style })
    }
  }
  changes.push(...podChanges(podsOf(before), podsOf(after)))
  return changes.map((change) => ({ time, ...change }))
}

function podChanges(before: readonly Pod[], after: readonly Pod[]): Omit<Change, 'time'>[] {
  const earlier = new Map(before.map((pod) => [pod.name, pod]))
  const still = new Set(after.map(({ name }) => name))
  const changed = after.flatMap((pod) => {
    const known = earlier.get(pod.name)
    const object = `pod/${pod.name}`
    const restarted = pod.restarts > (known?.restarts ?? 0)
    const exit = lastExit(pod)
    return [
      ...(restarted
        ? [
            {
              object,
              text: `${times(pod.restarts)}${exit && `: ${exit}`}`,
              style: 'warning' as const,
            },
          ]
        : []),
      ...(known === undefined || podText(known) !== podText(pod)
        ? [{ object, text: podText(pod), style: pod.ready ? ('good' as const) : undefined }]
        : []),
    ]
  })
  const gone = before.filter(({ name }) => !still.has(name))
  return [...changed, ...gone.map(({ name }) => ({ object: `pod/${name}`, text: 'gone' }))]
}

function times(restarts: number): string {
  return restarts === 1 ? 'restarted' : `restarted ${restarts} times`
}

function podText({ ready, phase, reason }: Pod): string {
  if (ready) return 'ready'
  return reason === undefined ? phase.toLowerCase() : `not ready: ${reason}`
}

function stateText({ state, reason }: { readonly state: State; readonly reason?: string }): string {
  return reason === undefined ? state : `${state}: ${reason}`
}
