import type { ConfigReader } from '@slipway/shared/config'

import type { PodSecurityException, PodSecurityLevel } from '../manifests/settings.ts'

/** The Pod Security levels that an operator can choose. */
export const POD_SECURITY_LEVELS = ['restricted', 'baseline'] as const
/** The largest user id that Kubernetes accepts. */
export const MAX_UID = 2 ** 31 - 1

/** Reads the exceptions from the Pod Security level `ordinary`. */
export function readPodSecurityExceptions(
  reader: ConfigReader,
  ordinary: PodSecurityLevel,
): readonly PodSecurityException[] {
  const name = 'POD_SECURITY_EXCEPTIONS'
  if (reader.optional(name) === undefined) return []
  const read = reader.json(name, (value) => {
    if (!Array.isArray(value)) throw new Error('must be a JSON array')
    return value.map((entry: unknown) => parseException(entry, ordinary))
  })
  return read ?? []
}

function parseException(entry: unknown, ordinary: PodSecurityLevel): PodSecurityException {
  const { account, agent, level, uid, ...unknown } = { ...(entry as Record<string, unknown>) }
  const [unknownKey] = Object.keys(unknown)
  if (unknownKey !== undefined) throw new Error(`has an entry with the unknown key ${unknownKey}`)
  if (typeof account !== 'string' || account === '')
    throw new Error('has an entry without the id of an account')
  if (agent !== undefined && typeof agent !== 'string')
    throw new Error('has an entry whose agent is not a string')
  const known = POD_SECURITY_LEVELS.find((name) => name === level)
  if (level !== undefined && known === undefined)
    throw new Error(`has an entry whose level is not one of ${POD_SECURITY_LEVELS.join(', ')}`)
  const isUid = typeof uid === 'number' && Number.isInteger(uid) && uid >= 0 && uid <= MAX_UID
  if (uid !== undefined && !isUid)
    throw new Error(`has an entry whose uid is not an integer from 0 to ${MAX_UID}`)
  if (uid === 0 && (known ?? ordinary) === 'restricted')
    throw new Error('has an entry that allows root (uid 0), which requires the level baseline')
  return Object.freeze({
    account,
    ...(agent !== undefined && { agent }),
    ...(known && { level: known }),
    ...(isUid && { uid }),
  })
}
