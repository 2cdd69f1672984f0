import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { FailedPrecondition } from '@slipway/shared/errors'
import {
  namespaceName,
  readSpec,
  TemplateTooLargeError,
  type BuildTemplateInput,
  type DeploymentTemplate,
  type JsonObject,
} from '@slipway/agent-spec'

import type { CatalogContext } from '../context.ts'
import { findBuildForCaller } from './find-build-for-caller.ts'

/** Returns the deployment template of a build. */
export function getDeploymentTemplate(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['getDeploymentTemplate'] {
  return async ({ account, name, buildId, version }, call) => {
    const build = await findBuildForCaller(context, call, { account, name, buildId, version })
    const template = buildOrRefuse(context, {
      specText: build.specJson,
      readText: (json) => readSpec(JSON.parse(json) as JsonObject),
      source: { account: build.account, name, build: build.buildId, registry: build.registry },
      imageDigests: build.imageDigests,
      // The namespace for deployments by the account itself; other accounts have their own
      // namespaces.
      ...(build.isMember && {
        namespace: namespaceName({
          accountId: build.accountId,
          sourceAccountId: build.accountId,
          agent: name,
        }),
      }),
    })
    return { templateJson: JSON.stringify(template) }
  }
}

/** Builds registered before the limit existed can exceed it. */
function buildOrRefuse(
  { templates }: CatalogContext,
  input: BuildTemplateInput,
): DeploymentTemplate {
  try {
    return templates.of(input).template
  } catch (error) {
    if (!(error instanceof TemplateTooLargeError)) throw error
    throw new FailedPrecondition('template_too_large', `the spec of the build ${error.message}`, {
      cause: error,
    })
  }
}
