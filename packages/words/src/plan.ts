import type { Schemas } from '@slipway/client'

/** Whether a plan leaves everything as it is. An empty plan means that nothing is known. */
export function changesNothing(plan: readonly Schemas['PlannedChange'][]): boolean {
  return plan.length > 0 && plan.every(({ action }) => action === 'unchanged')
}
