import { isObject, own, type JsonObject } from '../json.ts'
import { closestName, hintFor } from '../names/closest-name.ts'
import { ENTRY_LIMITS } from '../read/values.ts'
import { EDITABLE_PATHS, type EditableKind } from '../template/editable.ts'
import { DEPLOY_LIMITS } from './limits.ts'

/** The part of a template that an override changes. */
export interface OverrideTarget {
  readonly kind: EditableKind
  /** The keys from the root of the template to the editable value. */
  readonly keys: readonly string[]
  /** The keys below that value, if the override sets only a part of it. */
  readonly below: readonly string[]
}

const PATTERNS = EDITABLE_PATHS.map(({ path, kind }) => ({ pattern: path.split('.'), kind }))

/**
 * Finds the part of a template that an override's dotted path refers to; undefined if there is none
 * or it isn't editable. Names of entries may contain dots, so every beginning of the path that is
 * one of the template's own keys is tried.
 */
export function findOverrideTarget(template: JsonObject, path: string): OverrideTarget | undefined {
  if (path.length > DEPLOY_LIMITS.pathLength) return undefined
  for (const { pattern, kind } of PATTERNS) {
    const target = match(template, pattern, path, kind)
    if (target) return target
  }
  return undefined
}

/** Returns the hint for a misspelled path, such as `; did you mean agent.replicas?`, or ''. */
export function hintForPath(template: JsonObject, path: string): string {
  const [section = '', entry = ''] = path.split('.')
  const entries = own(template, section)
  const name = isObject(entries) ? closestName(entry, Object.keys(entries)) : undefined
  const variable = path.slice(path.lastIndexOf('.') + 1)
  const candidates = PATTERNS.flatMap(({ pattern, kind }) => {
    const steps = kind === 'environment' ? [...pattern.slice(0, -1), variable] : pattern
    const written = steps.map((step) => (step === '*' ? (name ?? '*') : step)).join('.')
    return written.includes('*') || written === path ? [] : written
  })
  return hintFor(path, candidates)
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

// Everything after the pattern is the name of a variable, possibly a new one.
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
  const names = step === '*' ? namesIn(node, path) : [step]
  for (const name of names) {
    const rest = restAfter(path, name)
    if (rest === undefined) continue
    const child = own(node, name)
    // Only the last key may be missing: `healthcheck` and others are optional in a template.
    if (child === undefined && steps.length > 0) continue
    const found = walk(isObject(child) ? child : {}, steps, rest, [...keys, name], arrive)
    if (found) return found
  }
  return undefined
}

// The shortest first. Doesn't look at every key: an agent has many entries, and a request many
// paths.
function namesIn(node: JsonObject, path: string): string[] {
  const names: string[] = []
  for (let dot = path.indexOf('.'); ; dot = path.indexOf('.', dot + 1)) {
    const name = dot < 0 ? path : path.slice(0, dot)
    if (name.length > ENTRY_LIMITS.nameLength) return names
    if (Object.hasOwn(node, name)) names.push(name)
    if (dot < 0) return names
  }
}

function restAfter(path: string, name: string): string | undefined {
  if (path === name) return ''
  return path.startsWith(`${name}.`) ? path.slice(name.length + 1) : undefined
}
