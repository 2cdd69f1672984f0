import {
  resolvedComponents,
  VariablesTooLargeError,
  type DeploymentTemplate,
  type ResolvedComponent,
} from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import type { ComponentRef, Identity } from '../manifests/identity.ts'
import { workloadName } from '../manifests/workloads.ts'
import { ValidationFailed } from './validation-failed.ts'

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
