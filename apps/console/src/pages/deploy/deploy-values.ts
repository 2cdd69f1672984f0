import type { Schemas } from '@slipway/client'

import { valueBelow, type Setting } from './read-template.ts'

/** The agent to deploy, its build, and where to. */
export interface Target {
  /** The account that the deployment belongs to. */
  readonly account: string
  /** The account that the agent belongs to. */
  readonly source: string
  readonly name: string
  readonly version?: string
  /** The id of a build, or `current` for the one that runs. */
  readonly build?: string
}

/** An override that no field of the form has: a path, and a value as JSON or text. */
export interface OtherOverride {
  readonly path: string
  readonly value: string
}

/** What the user has changed in the form. What isn't there stays as it is. */
export interface DeployValues {
  readonly credentials: Readonly<Record<string, string>>
  /** By path; empty ends the override. */
  readonly settings: Readonly<Record<string, string | boolean>>
  readonly others: readonly OtherOverride[]
  /** Paths of kept overrides that end. */
  readonly ended: readonly string[]
  readonly schedules: Readonly<Record<string, string>>
  readonly interfaces?: readonly string[]
}

const COUNTS = /\.(?:replicas|gpu\.count)$/

/** The build that runs. */
export const CURRENT = 'current'

export const NO_VALUES: DeployValues = {
  credentials: {},
  settings: {},
  others: [],
  ended: [],
  schedules: {},
}

/** Makes the body of a deploy from what the user has changed. */
export function deployBody(target: Target, values: DeployValues): Schemas['DeployRequest'] {
  const { account, source, name, version, build } = target
  const credentials = withoutEmpty(values.credentials)
  const overrides = overridesOf(values)
  return {
    account,
    name,
    ...(source !== account && { source_account: source }),
    ...(build !== undefined && { build_id: build }),
    ...(version !== undefined && { version }),
    ...(values.interfaces !== undefined && { interfaces: [...values.interfaces] }),
    ...(isFilled(values.schedules) && { schedules: { ...values.schedules } }),
    ...(isFilled(overrides) && { overrides }),
    ...(isFilled(credentials) && { user_credentials: credentials }),
  }
}

/** The value of a setting with the overrides of the live deployment, which a deploy keeps. */
export function keptValue(
  setting: Setting,
  kept: Readonly<Record<string, unknown>>,
): Setting['value'] {
  const { path, value } = setting
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const start = path.slice(0, end)
    if (!Object.hasOwn(kept, start)) continue
    const found = end === path.length ? kept[start] : valueBelow(kept[start], path.slice(end + 1))
    if (['number', 'string', 'boolean'].includes(typeof found)) return found as Setting['value']
  }
  return value
}

function overridesOf({ settings, others, ended }: DeployValues): Record<string, unknown> {
  return Object.fromEntries([
    ...ended.map((path) => [path, null] as const),
    ...Object.entries(settings).map(([path, value]) => [path, settingValue(path, value)] as const),
    ...others
      .filter(({ path }) => path.trim() !== '')
      .map(({ path, value }) => [path.trim(), jsonOrText(value)] as const),
  ])
}

/** Counts are numbers, quantities like `500m` texts; an empty field ends the override. */
function settingValue(path: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (text === '') return null
  return COUNTS.test(path) && /^\d{1,9}$/.test(text) ? Number(text) : text
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function withoutEmpty(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

function isFilled(values: object): boolean {
  return Object.keys(values).length > 0
}
