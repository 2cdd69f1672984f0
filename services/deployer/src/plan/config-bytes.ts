import type { ResolvedComponent } from '@slipway/agent-spec'

import type { PlannedSecret } from '../credentials/plan-secrets.ts'

/**
 * Returns the bytes that the cluster stores of a revision's variables, by component: names and
 * values in its ConfigMaps and Secrets.
 */
export function configBytes(
  components: readonly ResolvedComponent[],
  secrets: readonly PlannedSecret[],
): Record<string, number> {
  const secretBytes = new Map(secrets.map(({ component, data }) => [component, bytesOf(data)]))
  return Object.fromEntries(
    components.map(({ name, environment }) => [
      name,
      bytesOf(environment.plain) + (secretBytes.get(name) ?? 0),
    ]),
  )
}

function bytesOf(data: Readonly<Record<string, string>>): number {
  return Object.entries(data).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
}
