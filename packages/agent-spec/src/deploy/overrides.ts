import { soleCredential } from '../environment/references.ts'
import {
  compareCodePoints,
  isObject,
  isStorable,
  own,
  type JsonObject,
  type JsonValue,
} from '../json.ts'
import { isEnvName } from '../names/environment-name.ts'
import { findProvider } from '../providers.ts'
import { COMPONENT_SECTIONS } from '../spec-types.ts'
import { storageFor } from '../template/build-components.ts'
import type { EditableKind } from '../template/editable.ts'
import type { TemplateSettings } from '../template/settings.ts'
import type { DeploymentTemplate } from '../template/template-types.ts'
import { mergedValue, setAt, valueAt } from './merge-override.ts'
import { DEPLOY_LIMITS } from './limits.ts'
import { findOverrideTarget, hintForPath, type OverrideTarget } from './override-paths.ts'
import * as check from './value-checks.ts'

/** A hint compares a path with many others. */
const MAX_HINTS = 10

/** Overrides by dotted path; `null` removes one. */
export type Overrides = Readonly<Record<string, JsonValue>>

/** The result of applying overrides. */
export interface Overridden {
  readonly template: DeploymentTemplate
  /** The effective overrides, to be stored for later deploys. */
  readonly overrides: Record<string, JsonValue>
  /** `overrides.<path>: <problem>` */
  readonly problems: readonly string[]
}

/** The overrides of a deploy. */
export interface OverrideRequest {
  readonly requested: Overrides
  /** The overrides of the live deployment. */
  readonly kept: Overrides
}

/**
 * Applies a request's overrides on top of those of the live deployment. An override that doesn't
 * fit the new build is dropped if it was kept, and a problem if the request sets it.
 */
export function applyOverrides(
  template: DeploymentTemplate,
  { requested, kept }: OverrideRequest,
  settings: TemplateSettings,
): Overridden {
  const result = structuredClone(template)
  const root = result as unknown as JsonObject
  const overrides: [string, JsonValue][] = []
  const problems: string[] = []
  const stillKept = Object.entries(kept).filter(([path]) => !isReplaced(path, requested))
  const all = new Map([...stillKept, ...Object.entries(requested)])
  let left = [...all].sort(([a], [b]) => compareCodePoints(a, b))
  for (let count = Infinity; left.length < count;) {
    count = left.length
    // What doesn't fit may do so after another one, as a lower limit does after a lower request.
    left = left.filter(([path, value]) => {
      const target = findOverrideTarget(root, path)
      if (target && value === null) return false
      if (!target || problemsOf(result, target, value).length > 0) return true
      apply(root, target, value, settings)
      overrides.push([path, value])
      return false
    })
  }
  for (const [path, value] of left)
    if (Object.hasOwn(requested, path))
      problems.push(...messagesOf(result, path, value, problems.length < MAX_HINTS))
  const effective = Object.fromEntries(overrides)
  problems.push(...growthProblems(effective, { requested, kept }))
  return { template: result, overrides: effective, problems }
}

function messagesOf(
  template: DeploymentTemplate,
  path: string,
  value: JsonValue,
  hasHint: boolean,
): string[] {
  const target = findOverrideTarget(template as unknown as JsonObject, path)
  const hint = hasHint && !target ? hintForPath(template as unknown as JsonObject, path) : ''
  const start = ['overrides', ...(target?.keys ?? [path])].join('.')
  const found = target
    ? problemsOf(template, target, value)
    : [{ path: '', problem: `not an editable path of this agent${hint}` }]
  return found.map(
    ({ path: below, problem }) => `${below === '' ? start : `${start}.${below}`}: ${problem}`,
  )
}

/** Whether a request sets a path by a mapping of one above it, which wins over what is kept. */
function isReplaced(path: string, requested: Overrides): boolean {
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
    const keys = path.slice(end + 1).split('.')
    const mapping = own(requested, path.slice(0, end)) ?? null
    if (isObject(mapping) && valueAt(mapping, keys) !== undefined) return true
  }
  return false
}

/**
 * Reports overrides that exceed the limits together with those that are kept. An older release may
 * have stored more, which can't grow.
 */
function growthProblems(effective: Overrides, { requested, kept }: OverrideRequest): string[] {
  if (Object.keys(requested).length === 0) return []
  const problems: string[] = []
  const count = Object.keys(effective).length
  if (count > Math.max(DEPLOY_LIMITS.overrides, Object.keys(kept).length)) {
    problems.push(
      `overrides: would be ${count} with those that are kept; the limit is ` +
        `${DEPLOY_LIMITS.overrides}: remove some with null`,
    )
  }
  const bytes = sizeOf(effective)
  if (bytes > DEPLOY_LIMITS.overrideBytes && bytes > sizeOf(kept)) {
    problems.push(
      `overrides: would have ${bytes} bytes with those that are kept; the limit is ` +
        `${DEPLOY_LIMITS.overrideBytes}: remove some with null`,
    )
  }
  return problems
}

function sizeOf(overrides: Overrides): number {
  return Buffer.byteLength(JSON.stringify(overrides))
}

const checks: Readonly<Record<Exclude<EditableKind, 'environment'>, check.Check>> = {
  replicas: check.whole(0, check.MAX_REPLICAS),
  resources: check.resources,
  healthcheck: check.healthcheck,
  update: check.update,
  gpu: check.gpu,
  storage: check.storage,
  persistent: check.flag,
  flag: check.flag,
}

function problemsOf(
  template: DeploymentTemplate,
  target: OverrideTarget,
  value: JsonValue,
): ReturnType<check.Check> {
  const { kind, keys, below } = target
  const root = template as unknown as JsonObject
  if (kind === 'environment') return environmentProblems(template, target, value)
  if (kind === 'healthcheck' && value === false && below.length === 0) return []
  const persistent = valueAt(root, [...keys.slice(0, -1), 'persistent']) === true
  if (kind === 'storage' && !persistent)
    return [{ path: '', problem: 'this component is not persistent' }]
  if (kind === 'replicas' && persistent && typeof value === 'number' && value > 1) {
    return [{ path: '', problem: 'a persistent component can have at most one replica' }]
  }
  return checks[kind](mergedValue(root, target, value))
}

function environmentProblems(
  template: DeploymentTemplate,
  { keys }: OverrideTarget,
  value: JsonValue,
): ReturnType<check.Check> {
  if (!isEnvName(keys.at(-1) ?? ''))
    return [{ path: '', problem: 'not a valid name for an environment variable' }]
  if (typeof value !== 'string' || !isStorable(value))
    return [{ path: '', problem: 'must be a string' }]
  if (Buffer.byteLength(value) > DEPLOY_LIMITS.variableBytes)
    return [{ path: '', problem: `must have at most ${DEPLOY_LIMITS.variableBytes} bytes` }]
  const current = valueAt(template as unknown as JsonObject, keys)
  const credential = typeof current === 'string' ? soleCredential(current) : undefined
  const isSecret =
    credential !== undefined && own(template.credentials, credential)?.secret !== false
  return isSecret ? [{ path: '', problem: 'is a credential: set it in user_credentials' }] : []
}

function apply(
  root: JsonObject,
  target: OverrideTarget,
  value: JsonValue,
  settings: TemplateSettings,
): void {
  const { kind, keys } = target
  if (kind === 'environment') return setAt(root, keys, value)
  const next = mergedValue(root, target, value)
  setAt(root, keys, kind === 'healthcheck' && next === false ? undefined : next)
  if (kind === 'persistent') applyPersistence(root, keys.slice(0, -1), next === true, settings)
}

// Persistence adds or removes the volume. A volume also changes how pods are replaced.
function applyPersistence(
  root: JsonObject,
  keys: readonly string[],
  on: boolean,
  settings: TemplateSettings,
): void {
  const component = valueAt(root, keys)
  const section = COMPONENT_SECTIONS.find((name) => name === keys[0])
  if (!isObject(component) || !section) return
  if (!on) return setAt(root, [...keys, 'storage'], undefined)
  if (own(component, 'storage') !== undefined) return
  const name = own(component, 'provider')
  const provider =
    typeof name === 'string' ? findProvider(settings.providers, section, name) : undefined
  const path = provider?.kind === 'self-hosted' ? provider.dataPath : '/data'
  setAt(root, [...keys, 'storage'], storageFor(section, path, settings) as unknown as JsonObject)
  setAt(root, [...keys, 'update'], { strategy: 'recreate' })
}
