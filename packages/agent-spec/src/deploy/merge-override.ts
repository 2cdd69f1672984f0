import { isObject, own, sortedEntries, type JsonObject, type JsonValue } from '../json.ts'
import type { OverrideTarget } from './override-paths.ts'

// A probe has one way of looking: setting it takes the others away.
const PROBE_KINDS = ['path', 'command', 'tcp']

/** The whole value that an override leads to: what it leaves out stays as it is in the template. */
export function mergedValue(
  root: JsonObject,
  { keys, below }: OverrideTarget,
  value: JsonValue,
): JsonValue {
  const nested = below.reduceRight<JsonValue>(
    (inner, key) => Object.fromEntries([[key, inner]]),
    value,
  )
  return merge(valueAt(root, keys), nested)
}

/** The value at the end of a chain of keys. */
export function valueAt(root: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let node: JsonValue | undefined = root
  for (const key of keys) node = isObject(node) ? own(node, key) : undefined
  return node
}

/**
 * Sets the value at the end of a chain of keys, or takes it away; makes the mappings on the way.
 */
export function setAt(
  root: JsonObject,
  keys: readonly string[],
  value: JsonValue | undefined,
): void {
  let node = root
  for (const key of keys.slice(0, -1)) {
    const child = own(node, key)
    node = isObject(child) ? child : define(node, key, {})
  }
  const last = keys.at(-1) ?? ''
  if (value === undefined) delete node[last]
  else define(node, last, value)
}

function merge(current: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isObject(current) || !isObject(change)) return change
  const strategy = own(change, 'strategy')
  const changesProbe = PROBE_KINDS.some((way) => own(change, way) !== undefined)
  const kept = Object.entries(current).filter(([key]) => {
    if (changesProbe && PROBE_KINDS.includes(key)) return false
    return !(strategy === 'recreate' && key.startsWith('max_'))
  })
  const base: JsonObject = Object.fromEntries(kept)
  const defaults = strategy === 'rolling' ? { max_unavailable: '25%', max_surge: '25%' } : {}
  const changed = sortedEntries(change).map(
    ([key, value]) => [key, merge(own(base, key), value)] as const,
  )
  return { ...defaults, ...base, ...Object.fromEntries(changed) }
}

// Never by assignment: `__proto__` is a valid name for a variable.
function define<T extends JsonValue>(node: JsonObject, key: string, value: T): T {
  Object.defineProperty(node, key, { value, writable: true, enumerable: true, configurable: true })
  return value
}
