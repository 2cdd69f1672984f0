import { cronProblem } from '../grammar/cron.ts'
import { interfaceAdapters, interfaceCredentials } from '../interfaces.ts'
import { compareCodePoints, own, sortedEntries, sortedRecord, type JsonValue } from '../json.ts'
import { hintFor } from '../names/closest-name.ts'
import { isEnvName } from '../names/environment-name.ts'
import { templateCredential } from '../template/build-template.ts'
import type { TemplateSettings } from '../template/settings.ts'
import type { DeploymentTemplate } from '../template/template-types.ts'
import { declaredSettable, dropUnusedValues, replaceSettable } from './fill-credentials.ts'
import { DEPLOY_LIMITS } from './limits.ts'
import { applyOverrides, type Overrides } from './overrides.ts'

/** The `user_credentials`, `interfaces`, `schedules` and `overrides` of a deploy request. */
export interface DeployRequestValues {
  readonly userCredentials?: Readonly<Record<string, string>>
  readonly interfaces?: readonly string[]
  readonly schedules?: Readonly<Record<string, string>>
  readonly overrides?: Overrides
  /** The values of the live deployment, if there is one. */
  readonly previous?: PreviousValues
}

/** The stored values of a deployment's last request. Never includes the value of a credential. */
export interface PreviousValues {
  readonly credentialKeys: readonly string[]
  /** The keys in `credentialKeys` that the spec doesn't declare. */
  readonly extraCredentialKeys: readonly string[]
  readonly interfaces: readonly string[]
  readonly schedules: Readonly<Record<string, string>>
  readonly overrides: Overrides
}

/** A template filled from a request and the live deployment, without the values of credentials. */
export interface FilledTemplate {
  readonly template: DeploymentTemplate
  /** Values from the request. */
  readonly givenCredentials: Record<string, string>
  /** Keys whose values are kept from the live deployment. */
  readonly keptCredentialKeys: string[]
  /** To be stored, because the next deploy keeps what its request omits. */
  readonly values: PreviousValues
  /** `path: problem`, unsorted. `validateTemplate` returns these too. */
  readonly problems: string[]
}

/** Fills a template from a deploy request. Never throws: errors go to `problems`. */
export function fillTemplate(
  base: DeploymentTemplate,
  request: DeployRequestValues,
  settings: TemplateSettings,
): FilledTemplate {
  const { previous } = request
  const problems: string[] = []
  const overridden = applyOverrides(
    base,
    { requested: request.overrides ?? {}, kept: previous?.overrides ?? {} },
    settings,
  )
  problems.push(...overridden.problems)
  const { template } = overridden
  dropUnusedValues(template)
  const interfaces = fillInterfaces(template, request, problems)
  const schedules = fillSchedules(template, request, problems)
  const credentials = fillCredentials(template, request, problems)
  return {
    template,
    givenCredentials: credentials.given,
    keptCredentialKeys: credentials.kept,
    values: {
      credentialKeys: [...Object.keys(credentials.given), ...credentials.kept].sort(
        compareCodePoints,
      ),
      extraCredentialKeys: credentials.extra,
      interfaces,
      schedules,
      overrides: overridden.overrides as Readonly<Record<string, JsonValue>>,
    },
    problems,
  }
}

function fillInterfaces(
  template: DeploymentTemplate,
  request: DeployRequestValues,
  problems: string[],
): string[] {
  const chosen = [...new Set(request.interfaces ?? request.previous?.interfaces ?? [])].sort(
    compareCodePoints,
  )
  for (const name of chosen) {
    if (own(interfaceAdapters, name) === undefined) {
      const hint = hintFor(name, Object.keys(interfaceAdapters))
      problems.push(`interfaces.${name}: unknown interface adapter${hint}`)
    } else if (!template.interfaces.available_adapters.includes(name)) {
      problems.push(`interfaces.${name}: this platform does not serve this adapter`)
    }
  }
  template.interfaces.adapters = chosen
  const declared = interfaceCredentials(chosen).map((credential) => {
    const known = {
      ...(own(template.credentials, credential.key) ?? templateCredential(credential)),
    }
    delete known.optional
    return [credential.key, known] as const
  })
  template.credentials = sortedRecord([
    ...new Map([...Object.entries(template.credentials), ...declared]),
  ])
  return chosen
}

function fillSchedules(
  template: DeploymentTemplate,
  request: DeployRequestValues,
  problems: string[],
): Record<string, string> {
  const isScheduled = (name: string) => own(template.ingestion, name)?.trigger.type === 'schedule'
  for (const name of Object.keys(request.schedules ?? {})) {
    if (own(template.ingestion, name) === undefined)
      problems.push(
        `schedules.${name}: the agent has no such ingestion` +
          hintFor(name, Object.keys(template.ingestion)),
      )
    else if (!isScheduled(name))
      problems.push(`schedules.${name}: this ingestion does not run on a schedule`)
  }
  const source = request.schedules ?? request.previous?.schedules ?? {}
  const schedules = sortedEntries(source).filter(([name]) => isScheduled(name))
  for (const [name, schedule] of schedules) {
    const ingestion = own(template.ingestion, name)
    if (ingestion) ingestion.trigger.schedule = schedule.trim()
  }
  for (const [name, { trigger }] of sortedEntries(template.ingestion)) {
    const problem = trigger.type === 'schedule' ? cronProblem(trigger.schedule ?? '') : undefined
    if (problem !== undefined) problems.push(`schedules.${name}: ${problem}`)
  }
  return Object.fromEntries(schedules)
}

function fillCredentials(
  template: DeploymentTemplate,
  request: DeployRequestValues,
  problems: string[],
): { given: Record<string, string>; kept: string[]; extra: string[] } {
  const requested = request.userCredentials ?? {}
  const settable = declaredSettable(template)
  const isDeclared = (key: string) =>
    own(template.credentials, key) !== undefined || settable.has(key)
  const given: [string, string][] = []
  for (const [key, value] of sortedEntries(requested)) {
    if (!isEnvName(key))
      problems.push(`user_credentials.${key}: not a valid name for an environment variable`)
    else if (value.includes('\0')) problems.push(`user_credentials.${key}: must not contain NUL`)
    else if (value !== '') given.push([key, value])
  }
  const before = new Set(request.previous?.extraCredentialKeys)
  const kept = (request.previous?.credentialKeys ?? [])
    .filter((key) => !Object.hasOwn(requested, key) && (isDeclared(key) || before.has(key)))
    .toSorted(compareCodePoints)
  const present = [...given.map(([key]) => key), ...kept]
  // An older release may have stored more, which can't grow.
  const most = Math.max(DEPLOY_LIMITS.credentials, request.previous?.credentialKeys.length ?? 0)
  if (present.length > most) {
    problems.push(
      `user_credentials: would be ${present.length} with those that are kept; the limit is ` +
        `${DEPLOY_LIMITS.credentials}: remove some with an empty value`,
    )
  }
  const extra = present.filter((key) => !isDeclared(key)).toSorted(compareCodePoints)
  replaceSettable(template, new Set(present), extra)
  return { given: Object.fromEntries(given), kept, extra }
}
