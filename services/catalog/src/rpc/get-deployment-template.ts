import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { FailedPrecondition } from '@slipway/shared/errors'
import {
  buildTemplate,
  namespaceName,
  TemplateTooLargeError,
  type DeploymentTemplate,
  type TemplateInput,
} from '@slipway/agent-spec'

import type { CatalogContext } from '../context.ts'
import { findBuildForCaller } from './find-build-for-caller.ts'

/** Returns the deployment template of a build. */
export function getDeploymentTemplate(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['getDeploymentTemplate'] {
  return async ({ account, name, buildId }, call) => {
    const build = await findBuildForCaller(context, call, { account, name, buildId })
    const template = buildOrRefuse({
      spec: build.spec,
      source: { account: build.account, name, build: build.buildId, registry: build.registry },
      settings: context.template,
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
function buildOrRefuse(input: TemplateInput): DeploymentTemplate {
  try {
    return buildTemplate(input)
  } catch (error) {
    if (!(error instanceof TemplateTooLargeError)) throw error
    throw new FailedPrecondition('template_too_large', `the spec of the build ${error.message}`, {
      cause: error,
    })
  }
}
