import type { Schemas } from '@slipway/client'

type Revision = Schemas['Revision']

/** The newest revision before the live one that was ready and differs, as a rollback has it. */
export function goodRevision(revisions: readonly Revision[]): Revision | undefined {
  const copied = new Map(revisions.map((each) => [each.revision, each.rolled_back_to]))
  const origin = (revision: number): number => {
    const of = copied.get(revision)
    return of === undefined ? revision : origin(of)
  }
  const live = revisions.find((each) => each.live)?.revision
  if (live === undefined) return undefined
  return revisions.find(
    ({ revision, restorable, was_ready: wasReady }) =>
      revision < live && restorable && wasReady && origin(revision) !== origin(live),
  )
}
