import { createHmac } from 'node:crypto'

import {
  resolvedComponents,
  VariablesTooLargeError,
  type DeploymentTemplate,
  type ResolvedComponent,
} from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { addFormerPlaces } from '../credentials/credential-values.ts'
import { newTelemetrySecret } from '../credentials/ingest-token.ts'
import { planSecrets, type PlannedSecret } from '../credentials/plan-secrets.ts'
import type { SecretContents } from '../credentials/read-secrets.ts'
import { storePasswords } from '../credentials/store-passwords.ts'
import { componentsOf, withConfig, type Components, type Footprint } from '../domain/footprint.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import { canonical } from '../manifests/canonical.ts'
import type { PullCredentials } from '../manifests/config-and-secrets.ts'
import type { ComponentRef, Identity } from '../manifests/identity.ts'
import { renderDeployment, type RenderedDeployment } from '../manifests/render.ts'
import { workloadName } from '../manifests/workloads.ts'
import { configBytes } from './config-bytes.ts'
import { namespaceBounds } from './namespace-bounds.ts'
import { ValidationFailed } from './validation-failed.ts'

/** The complete input of an apply. */
export interface ComposedDeployment {
  readonly identity: Identity
  readonly components: readonly ResolvedComponent[]
  readonly rendered: RenderedDeployment
  /** What its components occupy. */
  readonly occupied: Components
  /** Whether it has volumes, or kept some of earlier revisions. */
  readonly hasVolumes: boolean
  /** The revision's Secrets first, then those that the deployment keeps across revisions. */
  readonly secrets: readonly PlannedSecret[]
  readonly plan: SecretPlan
  /**
   * HMAC of template and Secret names. A deploy with the live revision's fingerprint changes
   * nothing.
   */
  readonly fingerprint: Buffer
  readonly telemetrySecret: string | undefined
  /** Set when a new ingest token was generated. */
  readonly newTokenSha256: Buffer | undefined
}

/** The input of composeDeployment. */
export interface ComposeInput {
  readonly identity: Identity
  readonly revision: number
  readonly template: DeploymentTemplate
  /** Values of all credentials. */
  readonly credentials: Readonly<Record<string, string>>
  /** The deployment's Secrets in the cluster. */
  readonly contents: SecretContents
  /** The live revision's Secret plan; undefined when there is no live revision. */
  readonly former: SecretPlan | undefined
  /** What the deployment occupies before; undefined for a new one. */
  readonly footprint: Footprint | undefined
  /** Name of the deployment's telemetry Secret. A new one is created when null or lost. */
  readonly telemetrySecret: string | null
  /** The ingestions, by component, whose schedules are suspended. */
  readonly suspended: readonly string[]
}

/** Composes a revision's objects from its template, its credentials and the stored Secrets. */
export function composeDeployment(
  context: DeployerContext,
  input: ComposeInput,
): ComposedDeployment {
  const { workloads, secretNameKey } = context.config
  const { identity, template, contents, former } = input
  const stores = storePasswords(identity, template, workloads.template, contents)
  const components = resolveComponents(
    context,
    identity,
    template,
    input.credentials,
    stores.passwords,
  )
  const { secrets, plan } = planSecrets(identity, components, input.credentials, {
    nameKey: secretNameKey,
    generated: Object.values(stores.passwords),
    contents,
    former,
  })
  const telemetry = composeTelemetry(components, input, secretNameKey)
  const occupied = withConfig(componentsOf(template), configBytes(components, secrets))
  const rendered = renderDeployment({
    identity,
    revision: input.revision,
    components,
    secrets: Object.fromEntries(secrets.map(({ component, name }) => [component, name])),
    telemetrySecret: telemetry.secret?.name,
    pullCredentials: pullCredentialsOf(context, components),
    settings: workloads.manifests,
    suspended: input.suspended,
    bounds: namespaceBounds(
      context.accountLimits.of(identity.accountId),
      template,
      occupied,
      input.footprint,
    ),
    nameKey: secretNameKey,
  })
  const fingerprint = createHmac('sha256', secretNameKey)
    .update(canonical({ template, roles: plan.roles }))
    .digest()
  return {
    identity,
    components,
    rendered,
    occupied,
    hasVolumes:
      components.some(({ storage }) => storage !== undefined) ||
      (input.footprint?.total.storage_bytes ?? 0) > 0,
    secrets: [...secrets, ...stores.secrets, ...(telemetry.secret ? [telemetry.secret] : [])],
    plan: former ? addFormerPlaces(plan, input.credentials, { former, contents }) : plan,
    fingerprint,
    telemetrySecret: telemetry.secret?.name,
    newTokenSha256: telemetry.newTokenSha256,
  }
}

/**
 * Resolves a template's components with the operator's settings, credentials and passwords. Throws
 * ValidationFailed if their variables are too large.
 */
export function resolveComponents(
  { config }: DeployerContext,
  identity: Identity,
  template: DeploymentTemplate,
  credentials: Readonly<Record<string, string>>,
  passwords: Readonly<Record<string, string>>,
): ResolvedComponent[] {
  const { ingestUrl, template: settings } = config.workloads
  const options = {
    credentials,
    storePasswords: passwords,
    serviceHost: (component: ComponentRef) => workloadName(identity, component),
    ...(ingestUrl !== undefined && {
      telemetry: {
        endpoint: ingestUrl,
        protocol: 'http/protobuf',
        resourceAttributes: {
          'service.version': identity.buildId,
          'slipway.deployment.id': identity.deploymentId,
        },
      },
    }),
  }
  try {
    return resolvedComponents(template, settings, options)
  } catch (error) {
    if (error instanceof VariablesTooLargeError)
      throw new ValidationFailed([`overrides: ${error.message}`])
    throw error
  }
}

/** Returns the credentials for the images of components, by component. */
export function pullCredentialsOf(
  { images }: DeployerContext,
  components: readonly ResolvedComponent[],
): Record<string, PullCredentials> {
  return Object.fromEntries(
    components.flatMap(({ name, image }) => {
      const credentials = images.credentialsOf(image)
      return credentials ? [[name, credentials]] : []
    }),
  )
}

function composeTelemetry(
  components: readonly ResolvedComponent[],
  { identity, contents, telemetrySecret }: ComposeInput,
  nameKey: Buffer,
): { secret: PlannedSecret | undefined; newTokenSha256: Buffer | undefined } {
  if (!components.some(({ telemetry }) => telemetry))
    return { secret: undefined, newTokenSha256: undefined }
  const data = telemetrySecret === null ? undefined : contents.get(telemetrySecret)
  if (telemetrySecret !== null && data !== undefined) {
    return {
      secret: { component: '', ref: { kind: 'agent' }, name: telemetrySecret, data },
      newTokenSha256: undefined,
    }
  }
  const made = newTelemetrySecret(identity, telemetrySecret, contents, nameKey)
  return { secret: made.secret, newTokenSha256: made.tokenSha256 }
}
