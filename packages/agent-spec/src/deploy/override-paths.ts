import { isObject, own, type JsonObject } from '../json.ts'
import { EDITABLE_PATHS, type EditableKind } from '../template/editable.ts'

/** Where an override goes. */
export interface OverrideTarget {
  readonly kind: EditableKind
  /** The keys from the template down to the editable value. */
  readonly keys: readonly string[]
  /** The keys below it, when the override sets a part only. */
  readonly below: readonly string[]
}

/**
 * Finds the place that an override's dotted path means in a template, or nothing when it is not
 * editable or not there. Entries' names may have dots in them, so each pattern is tried with the
 * template's own keys.
 */
export function findOverrideTarget(template: JsonObject, path: string): OverrideTarget | undefined {
  for (const { path: pattern, kind } of EDITABLE_PATHS) {
    const target = match(template, pattern.split('.'), path, kind)
    if (target) return target
  }
  return undefined
}

function match(
  root: JsonObject,
  pattern: readonly string[],
  path: string,
  kind: EditableKind,
): OverrideTarget | undefined {
  if (kind === 'environment') return matchEnvironment(root, pattern.slice(0, -1), path)
  return walk(root, pattern, path, [], (rest, keys) => {
    if (rest === '') return { kind, keys, below: [] }
    const mayHaveParts = kind !== 'flag' && kind !== 'replicas' && kind !== 'persistent'
    return mayHaveParts ? { kind, keys, below: rest.split('.') } : undefined
  })
}

// The last key is a new or known variable, whatever its name.
function matchEnvironment(
  root: JsonObject,
  pattern: readonly string[],
  path: string,
): OverrideTarget | undefined {
  return walk(root, pattern, path, [], (rest, keys) =>
    rest === '' ? undefined : { kind: 'environment', keys: [...keys, rest], below: [] },
  )
}

type Arrive = (rest: string, keys: readonly string[]) => OverrideTarget | undefined

function walk(
  node: JsonObject,
  pattern: readonly string[],
  path: string,
  keys: readonly string[],
  arrive: Arrive,
): OverrideTarget | undefined {
  const [step, ...steps] = pattern
  if (step === undefined) return arrive(path, keys)
  const names = step === '*' ? Object.keys(node) : [step]
  for (const name of names) {
    const rest = restAfter(path, name)
    if (rest === undefined) continue
    const child = own(node, name)
    // Only the last step may be missing from the template: `healthcheck` and the like are optional
    // there.
    if (child === undefined && steps.length > 0) continue
    const found = walk(isObject(child) ? child : {}, steps, rest, [...keys, name], arrive)
    if (found) return found
  }
  return undefined
}

function restAfter(path: string, name: string): string | undefined {
  if (path === name) return ''
  return path.startsWith(`${name}.`) ? path.slice(name.length + 1) : undefined
}
