import type { Schemas } from '@slipway/client'

type Change = Schemas['PlannedChange']
type Field = Schemas['PlannedField']

const ACTIONS: readonly Change['action'][] = ['rejected', 'delete', 'change', 'create']
/** Labels and annotations, also those of pods. They rarely matter. */
const METADATA = /(?:^|\.)metadata\.(?:labels|annotations)(?:[.[]|$)/
const FIELDS: readonly RegExp[] = [
  /\.image$/,
  /\.(?:env|envFrom|command|args)(?:[.[]|$)/,
  /\.(?:replicas|resources)(?:[.[]|$)/,
]

/** The objects that change, those that restart pods first. */
export function orderedChanges(plan: readonly Change[]): readonly Change[] {
  const rank = ({ action, restarts = [] }: Change) =>
    (action === 'rejected' ? -ACTIONS.length : ACTIONS.indexOf(action)) -
    (restarts.length > 0 ? ACTIONS.length : 0)
  return plan.filter(({ action }) => action !== 'unchanged').toSorted((a, b) => rank(a) - rank(b))
}

/** The fields of an object: images, variables and sizes first; labels and annotations apart. */
export function orderedFields(fields: readonly Field[]): {
  readonly main: readonly Field[]
  readonly metadata: readonly Field[]
} {
  const rank = ({ path }: Field) => {
    const found = FIELDS.findIndex((pattern) => pattern.test(path))
    return found === -1 ? FIELDS.length : found
  }
  const { main = [], metadata = [] } = Object.groupBy(fields, ({ path }) =>
    METADATA.test(path) ? 'metadata' : 'main',
  )
  return { main: main.toSorted((a, b) => rank(a) - rank(b)), metadata }
}
