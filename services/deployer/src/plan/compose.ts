import { createHmac } from 'node:crypto'

import {
  resolvedComponents,
  type DeploymentTemplate,
  type ResolvedComponent,
} from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { noteFormerPlaces } from '../credentials/credential-values.ts'
import { newTelemetrySecret } from '../credentials/ingest-token.ts'
import { planSecrets, type PlannedSecret } from '../credentials/plan-secrets.ts'
import type { SecretContents } from '../credentials/read-secrets.ts'
import { storePasswords } from '../credentials/store-passwords.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import { canonical } from '../manifests/canonical.ts'
import type { Identity } from '../manifests/identity.ts'
import { renderDeployment, type RenderedDeployment } from '../manifests/render.ts'
import { workloadName } from '../manifests/workloads.ts'

/** All that an apply brings to the cluster. */
export interface ComposedDeployment {
  readonly identity: Identity
  readonly components: readonly ResolvedComponent[]
  readonly rendered: RenderedDeployment
  /** Secrets of the revision, then those of the deployment. */
  readonly secrets: readonly PlannedSecret[]
  readonly plan: SecretPlan
  /** Same for what is the same: tells whether a deploy changes anything. */
  readonly fingerprint: Buffer
  readonly telemetrySecret: string | undefined
  /** Set when a new ingest token was made. */
  readonly newTokenSha256: Buffer | undefined
}

/** What a deployment is composed of. */
export interface ComposeInput {
  readonly identity: Identity
  readonly revision: number
  readonly template: DeploymentTemplate
  /** Values of all credentials. */
  readonly credentials: Readonly<Record<string, string>>
  /** The Secrets that the cluster has. */
  readonly contents: SecretContents
  /** Where credentials that it had before lie; undefined when there were none. */
  readonly former: SecretPlan | undefined
  /**
   * The telemetry Secret that the deployment had; another one is made when the cluster has lost it.
   */
  readonly telemetrySecret: string | null
}

/** Brings template, credentials and what the cluster has together to the objects of a revision. */
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
  const { secrets, plan } = planSecrets(identity, components, input.credentials, secretNameKey)
  const telemetry = composeTelemetry(components, input, secretNameKey)
  const rendered = renderDeployment({
    identity,
    revision: input.revision,
    components,
    secrets: Object.fromEntries(secrets.map(({ component, name }) => [component, name])),
    telemetrySecret: telemetry.secret?.name,
    settings: workloads.manifests,
    nameKey: secretNameKey,
  })
  const fingerprint = createHmac('sha256', secretNameKey)
    .update(canonical({ template, roles: plan.roles }))
    .digest()
  return {
    identity,
    components,
    rendered,
    secrets: [...secrets, ...stores.secrets, ...(telemetry.secret ? [telemetry.secret] : [])],
    plan: former ? noteFormerPlaces(plan, input.credentials, { former, contents }) : plan,
    fingerprint,
    telemetrySecret: telemetry.secret?.name,
    newTokenSha256: telemetry.newTokenSha256,
  }
}

/**
 * The components of a template with the values that the cluster, the operator and the request give.
 */
export function resolveComponents(
  { config }: DeployerContext,
  identity: Identity,
  template: DeploymentTemplate,
  credentials: Readonly<Record<string, string>>,
  passwords: Readonly<Record<string, string>>,
): ResolvedComponent[] {
  const { ingestUrl, template: settings } = config.workloads
  return resolvedComponents(template, settings, {
    credentials,
    storePasswords: passwords,
    serviceHost: (component) => workloadName(identity, component),
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
  })
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
  const made = newTelemetrySecret(identity, nameKey)
  return { secret: made.secret, newTokenSha256: made.tokenSha256 }
}
