import type { ResolvedComponent } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import type { PullCredentials } from '../manifests/config-and-secrets.ts'
import { renderDeployment, type RenderedDeployment } from '../manifests/render.ts'
import { namespaceBounds } from './namespace-bounds.ts'
import type { PlannedRevision } from './plan-revision.ts'

/** The complete input of an apply. */
export interface ComposedRevision extends PlannedRevision, RenderedDeployment {
  readonly revision: number
}

/** Renders the objects of a planned revision. */
export function renderRevision(
  context: DeployerContext,
  planned: PlannedRevision,
  revision: number,
): ComposedRevision {
  const { workloads, secretNameKey } = context.config
  const { identity, template, components, occupied, footprint } = planned
  const rendered = renderDeployment({
    identity,
    revision,
    components,
    secrets: planned.plan.roles,
    telemetrySecret: planned.telemetrySecret,
    pullCredentials: pullCredentialsOf(context, components),
    settings: workloads.manifests,
    ingressCertificate: context.ingressCertificate?.current,
    suspended: planned.suspended,
    bounds: namespaceBounds(
      context.accountLimits.of(identity.accountId),
      template,
      occupied,
      footprint,
    ),
    nameKey: secretNameKey,
  })
  return { ...planned, ...rendered, revision }
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
