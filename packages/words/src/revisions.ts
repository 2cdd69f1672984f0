import type { Schemas } from '@slipway/client'

type Revision = Schemas['Revision']

/** What a revision changed, as far as the list of revisions shows it. */
export function changeOf(revision: Revision, earlier: Revision | undefined): string {
  if (revision.rolled_back_to !== undefined) return `rollback to ${revision.rolled_back_to}`
  if (revision.errors.length > 0) return revision.errors.join('; ')
  if (earlier === undefined) return revision.revision === 1 ? 'first deploy' : ''
  return revision.build_id === earlier.build_id ? 'settings' : 'build'
}

/** Whether the pods of a revision were ready. */
export function readinessOf(revision: Revision): 'yes' | 'unknown' | 'was' | 'never' {
  if (revision.ready_since !== undefined) return 'yes'
  if (revision.readiness_unknown === true) return 'unknown'
  return revision.was_ready ? 'was' : 'never'
}

/** Who created a revision, with the token that they used; people are known by their ids. */
export function authorOf(
  { created_by: by, created_by_token: token }: Revision,
  people: ReadonlyMap<string, string> | undefined,
): string {
  const person = people?.get(by) ?? by
  return token === undefined ? person : `${token.name}, a token of ${person}`
}
