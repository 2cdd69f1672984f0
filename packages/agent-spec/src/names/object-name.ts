import { createHash } from 'node:crypto'

/** The kind of a component, as shown in names and labels. */
export type ComponentKind = 'agent' | 'model' | 'knowledge' | 'tool' | 'ingestion' | 'messaging'

/** Maximum lengths of names. They leave room for the suffixes that controllers append. */
export const NAME_LIMITS = {
  /** Services, Deployments and other objects. */
  object: 63,
  /** CronJobs append 11 characters to name their Jobs. */
  cronJob: 52,
  /** StatefulSets label their pods with the name and a revision hash. */
  statefulSet: 52,
  namespaceAgent: 40,
} as const

const HASH_LENGTH = 8

/**
 * Returns the name of a component's objects: `<agent>-<kind>[-<entry>]` as a DNS-1035 label. A name
 * that is too long is truncated and ends with a hash of the full name, so truncated names can't
 * collide.
 */
export function objectName(
  agent: string,
  kind: ComponentKind,
  entry?: string,
  limit: number = NAME_LIMITS.object,
): string {
  const parts = entry === undefined ? [agent, kind] : [agent, kind, entry]
  return boundedName(parts, limit)
}

/** Joins parts to a DNS-1035 label of at most `limit` characters; see `objectName`. */
export function boundedName(parts: readonly string[], limit: number = NAME_LIMITS.object): string {
  const name = startWithLetter(parts.map(dnsPart).join('-'))
  if (name.length <= limit) return name
  const kept = name.slice(0, limit - HASH_LENGTH - 1).replace(/-+$/, '')
  return `${kept}-${hash(parts.join('\0'))}`
}

/** Returns a component's name in labels, responses and log lines: `agent`, `knowledge-docs`, … */
export function componentName(kind: ComponentKind, entry?: string): string {
  return labelValue(entry === undefined ? kind : `${kind}-${entry}`)
}

/**
 * Converts a string to a valid label value of at most 63 characters. The end of a longer one is
 * replaced with a hash.
 */
export function labelValue(text: string): string {
  const clean = text.replace(/[^A-Za-z0-9._-]/gu, '-').replace(/^[._-]+|[._-]+$/g, '')
  if (clean.length <= 63 && clean !== '') return clean
  if (text === '') return ''
  const kept = clean.slice(0, 63 - HASH_LENGTH - 1).replace(/[._-]+$/, '')
  return kept === '' ? hash(text) : `${kept}-${hash(text)}`
}

// A part without any usable character is replaced with its hash.
function dnsPart(part: string): string {
  const clean = part
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .replace(/^-+|-+$/g, '')
  return clean === '' ? hash(part) : clean
}

function startWithLetter(name: string): string {
  return /^[a-z]/.test(name) ? name : `a-${name}`
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
}

/** Returns a deployment's namespace. It is made from ids, so renaming an account keeps it. */
export function namespaceName(ids: {
  accountId: string
  sourceAccountId: string
  agent: string
}): string {
  const key = `${ids.accountId}:${ids.sourceAccountId}:${ids.agent}`
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 10)
  const agent = dnsPart(ids.agent).slice(0, NAME_LIMITS.namespaceAgent).replace(/-+$/, '')
  return `agent-${agent}-${digest}`
}
