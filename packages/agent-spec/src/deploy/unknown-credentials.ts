import { parseValue } from '../environment/references.ts'
import { hintFor } from '../names/closest-name.ts'
import type { DeploymentTemplate } from '../template/template-types.ts'
import { declaredSettable, partsWithEnvironment } from './fill-credentials.ts'
import type { FilledTemplate } from './fill-template.ts'

/** Further ones are only counted. */
const MAX_REPORTED = 20

/**
 * Reports credentials of the request that no part of the agent declares or refers to, as
 * `path: problem`. Only the agent's own container gets them.
 */
export function unknownCredentials({
  template,
  givenCredentials,
  values,
}: FilledTemplate): string[] {
  const extra = new Set(values.extraCredentialKeys)
  const given = Object.keys(givenCredentials).filter((key) => extra.has(key))
  if (given.length === 0) return []
  const referenced = referencedCredentials(template)
  const unknown = given.filter((key) => !referenced.has(key))
  const declared = [...Object.keys(template.credentials), ...declaredSettable(template)].filter(
    (key) => !extra.has(key),
  )
  const effect = "so only the agent's own container gets"
  const reported = unknown
    .slice(0, MAX_REPORTED)
    .map(
      (key) =>
        `user_credentials.${key}: no component declares this credential, ${effect} it` +
        hintFor(key, declared),
    )
  const more = unknown.length - reported.length
  return more > 0
    ? [...reported, `user_credentials: no component declares ${more} more, ${effect} them`]
    : reported
}

/** The credentials that variables refer to, except those that the agent gets under their names. */
function referencedCredentials(template: DeploymentTemplate): Set<string> {
  const keys = new Set<string>()
  for (const { path, part } of partsWithEnvironment(template)) {
    for (const [variable, value] of Object.entries(part.environment ?? {})) {
      for (const piece of parseValue(value)) {
        if (piece.kind !== 'reference' || piece.reference.kind !== 'credential') continue
        if (path !== 'agent' || piece.reference.key !== variable) keys.add(piece.reference.key)
      }
    }
  }
  return keys
}
