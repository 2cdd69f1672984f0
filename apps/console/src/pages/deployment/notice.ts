import type { Schemas } from '@slipway/client'

/** What the user has just done on the page of a deployment. */
export type Change =
  | { readonly kind: 'restart'; readonly pod: string }
  | { readonly kind: 'rollback'; readonly revision: number; readonly copied: number }

/** What became of a change; empty if there was none. */
export function noticeOf(
  change: Change | undefined,
  { revision, state }: Pick<Schemas['Deployment'], 'revision' | 'state'>,
): string {
  if (change === undefined) return ''
  if (change.kind === 'restart') return `Pod ${change.pod} is replaced by a new one.`
  const copy = `revision ${change.revision} is a copy of revision ${change.copied}`
  return revision === change.revision && state === 'ready'
    ? `Rolled back: ${copy}, and ready.`
    : `Rolling back: ${copy}. This page shows when its pods are ready.`
}
