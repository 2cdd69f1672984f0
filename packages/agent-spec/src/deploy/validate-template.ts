import { collisions } from '../environment/collisions.ts'
import { cronProblem } from '../grammar/cron.ts'
import { imageProblem } from '../grammar/image.ts'
import { sortedEntries, type JsonValue } from '../json.ts'
import { isEnvName } from '../names/environment-name.ts'
import { findProvider } from '../providers.ts'
import {
  COMPONENT_SECTIONS,
  TRIGGER_TYPES,
  type AgentSpec,
  type ContainerSpec,
} from '../spec-types.ts'
import type { TemplateSettings } from '../template/settings.ts'
import type { DeploymentTemplate, TemplateHealthcheck } from '../template/template-types.ts'
import { BUILD_PROBLEM } from '../warnings/value-warnings.ts'
import { unknownProviders } from '../warnings/provider-warnings.ts'
import { credentialProblems } from './credential-problems.ts'
import type { FilledTemplate } from './fill-template.ts'
import { partsWithEnvironment } from './fill-credentials.ts'
import { firstProblems } from './first-problems.ts'
import { reservedNames } from './platform-variables.ts'
import { referenceProblems } from './reference-problems.ts'
import * as check from './value-checks.ts'

/**
 * Reports the first problems with a deployment that can be found without the cluster, as `path:
 * problem`, sorted: at most one more than `DEPLOY_LIMITS.problems`. If there is none,
 * `resolvedComponents` can resolve the template. Messages contain the keys of credentials, never
 * their values.
 */
export function validateTemplate(
  filled: FilledTemplate,
  spec: AgentSpec,
  settings: TemplateSettings,
): string[] {
  return firstProblems(allProblems(filled, spec, settings))
}

function* allProblems(
  filled: FilledTemplate,
  spec: AgentSpec,
  settings: TemplateSettings,
): Generator<string> {
  const { template } = filled
  yield* filled.problems
  yield* credentialProblems(filled)
  for (const { field, message } of collisions(spec, settings.providers, template.source.name))
    yield `${field}: ${message}`
  yield* agentProblems(template)
  yield* componentProblems(template, spec, settings)
  yield* ingestionProblems(template, spec)
  yield* interfaceProblems(template, settings)
  yield* environmentProblems(template, settings)
  for (const { field, message } of unknownProviders(spec, settings.providers))
    yield `${field}: ${message}`
}

function agentProblems({ agent }: DeploymentTemplate): string[] {
  return [
    ...imageProblems('agent', agent.image),
    ...below('agent.port', check.whole(1, 65535), agent.port),
    ...healthcheckProblems('agent', agent.healthcheck),
  ]
}

function componentProblems(
  template: DeploymentTemplate,
  spec: AgentSpec,
  settings: TemplateSettings,
): string[] {
  return COMPONENT_SECTIONS.flatMap((section) =>
    sortedEntries(template[section]).flatMap(([name, component]) => {
      const path = `${section}.${name}`
      const { provider } = component
      const isUnavailable =
        provider !== undefined &&
        findProvider(settings.providers, section, provider)?.kind !== 'self-hosted'
      return [
        ...imageProblems(path, component.image, spec[section][name]?.container),
        ...below(`${path}.port`, check.whole(1, 65535), component.port),
        ...healthcheckProblems(path, component.healthcheck),
        ...(component.gpu ? below(`${path}.gpu`, check.gpu, { ...component.gpu }) : []),
        ...(component.storage
          ? below(`${path}.storage`, check.storage, { ...component.storage })
          : []),
        ...(isUnavailable ? [`${path}.provider: this platform does not run this provider`] : []),
      ]
    }),
  )
}

function ingestionProblems(template: DeploymentTemplate, spec: AgentSpec): string[] {
  return sortedEntries(template.ingestion).flatMap(
    ([name, { image, port, healthcheck, trigger }]) => {
      const path = `ingestion.${name}`
      const isKnown = TRIGGER_TYPES.some((type) => type === trigger.type)
      const cron = trigger.type === 'schedule' ? cronProblem(trigger.schedule ?? '') : undefined
      const lacksPort = trigger.type === 'webhook' && port === undefined
      return [
        ...imageProblems(path, image, spec.ingestion[name]?.container),
        ...(port === undefined ? [] : below(`${path}.port`, check.whole(1, 65535), port)),
        ...(lacksPort ? [`${path}.port: a webhook needs a port`] : []),
        ...healthcheckProblems(path, healthcheck),
        ...(isKnown ? [] : [`${path}.trigger.type: must be one of ${TRIGGER_TYPES.join(', ')}`]),
        ...(cron === undefined ? [] : [`schedules.${name}: ${cron}`]),
      ]
    },
  )
}

function interfaceProblems(
  { interfaces }: DeploymentTemplate,
  settings: TemplateSettings,
): string[] {
  if (interfaces.adapters.length === 0) return []
  const image = settings.messaging?.image ?? ''
  return imageProblem(image) === undefined
    ? []
    : ['interfaces: no messaging image is configured on this platform']
}

function* environmentProblems(
  template: DeploymentTemplate,
  settings: TemplateSettings,
): Generator<string> {
  for (const { path, part } of partsWithEnvironment(template)) {
    const reserved = reservedNames(template, path)
    for (const [name, value] of sortedEntries(part.environment ?? {})) {
      const variable = `${path}.environment.${name}`
      if (!isEnvName(name)) yield `${variable}: not a valid name for an environment variable`
      if (reserved.has(name)) yield `${variable}: this variable is set by the platform`
      for (const problem of referenceProblems(template, settings, value))
        yield `${variable}: ${problem}`
    }
  }
}

function imageProblems(path: string, image: string, container?: ContainerSpec): string[] {
  const isBuilt = image === '' && container?.hasBuild === true
  const problem = isBuilt ? BUILD_PROBLEM : imageProblem(image)
  return problem === undefined ? [] : [`${path}.image: ${problem}`]
}

function healthcheckProblems(path: string, healthcheck: TemplateHealthcheck | undefined): string[] {
  if (healthcheck === undefined) return []
  const { liveness, ...ready } = healthcheck
  const whole = { ...ready, ...(liveness && { liveness: { ...liveness } }) }
  return below(`${path}.healthcheck`, check.healthcheck, whole)
}

function below(path: string, test: check.Check, value: JsonValue): string[] {
  return test(value).map(
    (found) => `${found.path === '' ? path : `${path}.${found.path}`}: ${found.problem}`,
  )
}
