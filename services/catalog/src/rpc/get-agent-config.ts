import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { readSpec, requiredCredentials, type JsonObject } from '@slipway/agent-spec'

import type { CatalogContext } from '../context.ts'
import { findBuildForCaller } from './find-build-for-caller.ts'

/** Returns the credentials that a deployment of an agent needs. */
export function getAgentConfig(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['getAgentConfig'] {
  return async ({ account, name, buildId, version, interfaces }, call) => {
    const build = await findBuildForCaller(context, call, { account, name, buildId, version })
    const { providers } = context.template
    return {
      buildId: build.buildId,
      choice: build.choice,
      ...(build.version !== undefined && { version: build.version }),
      credentials: requiredCredentials(readSpec(JSON.parse(build.specJson) as JsonObject), {
        interfaces,
        providers,
      }),
    }
  }
}
