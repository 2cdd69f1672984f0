import { createHmac } from 'node:crypto'

import type { DeploymentTemplate, ResolvedComponent } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { addFormerPlaces } from '../credentials/credential-values.ts'
import { newTelemetrySecret } from '../credentials/ingest-token.ts'
import { planSecrets, type PlannedSecret } from '../credentials/plan-secrets.ts'
import type { SecretContents } from '../credentials/read-secrets.ts'
import { storePasswords } from '../credentials/store-passwords.ts'
import { componentsOf, withConfig, type Components, type Footprint } from '../domain/footprint.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import { canonical } from '../manifests/canonical.ts'
import type { Identity } from '../manifests/identity.ts'
import { configBytes } from './config-bytes.ts'
import { resolveComponents } from './resolve-components.ts'

/** What a revision is planned from. */
export interface RevisionInput {
  readonly identity: Identity
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

/** A revision with its components and Secrets, before its objects are rendered. */
export interface PlannedRevision extends Pick<
  RevisionInput,
  'footprint' | 'identity' | 'suspended' | 'template'
> {
  readonly components: readonly ResolvedComponent[]
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

/** Plans a revision from its template, its credentials and the stored Secrets. */
export function planRevision(context: DeployerContext, input: RevisionInput): PlannedRevision {
  const { workloads, secretNameKey } = context.config
  const { identity, template, credentials, contents, former, footprint, suspended } = input
  const stores = storePasswords(identity, template, workloads.template, contents)
  const components = resolveComponents(context, identity, template, credentials, stores.passwords)
  const { secrets, plan } = planSecrets(identity, components, credentials, {
    nameKey: secretNameKey,
    generated: Object.values(stores.passwords),
    contents,
    former,
  })
  const telemetry = planTelemetry(components, input, secretNameKey)
  return {
    identity,
    template,
    footprint,
    suspended,
    components,
    occupied: withConfig(componentsOf(template), configBytes(components, secrets)),
    hasVolumes:
      components.some(({ storage }) => storage !== undefined) ||
      (footprint?.total.storage_bytes ?? 0) > 0,
    secrets: [...secrets, ...stores.secrets, ...(telemetry.secret ? [telemetry.secret] : [])],
    plan: former ? addFormerPlaces(plan, credentials, { former, contents }) : plan,
    fingerprint: createHmac('sha256', secretNameKey)
      .update(canonical({ template, roles: plan.roles }))
      .digest(),
    telemetrySecret: telemetry.secret?.name,
    newTokenSha256: telemetry.newTokenSha256,
  }
}

function planTelemetry(
  components: readonly ResolvedComponent[],
  { identity, contents, telemetrySecret }: RevisionInput,
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
