import { isObject, own, sortedEntries, type JsonObject, type JsonValue } from '../json.ts'
import type { OverrideTarget } from './override-paths.ts'

// A probe has exactly one of these, so setting one removes the others.
const PROBE_KINDS = ['path', 'command', 'tcp']

/** Merges an override into the template's value. Members that it omits keep their values. */
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

/** Returns the value at a path of keys. */
export function valueAt(root: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let node: JsonValue | undefined = root
  for (const key of keys) node = isObject(node) ? own(node, key) : undefined
  return node
}

/** Sets the value at a path of keys, or removes it if undefined. Creates missing mappings. */
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
  const changesProbe = PROBE_KINDS.some((kind) => own(change, kind) !== undefined)
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

// Assignment would go wrong for `__proto__`, which is a valid variable name.
function define<T extends JsonValue>(node: JsonObject, key: string, value: T): T {
  Object.defineProperty(node, key, { value, writable: true, enumerable: true, configurable: true })
  return value
}
