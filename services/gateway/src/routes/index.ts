import type { App } from '../app.ts'
import type { GatewayContext } from '../context.ts'
import { addAgentConfigRoute } from './agent-config.ts'
import { addCreateAccountRoute } from './create-account.ts'
import { addDeploymentTemplateRoute } from './deployment-template.ts'
import { addListAccountAgentsRoute } from './list-account-agents.ts'
import { addMemberRoutes } from './members.ts'
import { addRenameAccountRoute } from './rename-account.ts'
import { addYankVersionRoutes } from './yank-version.ts'
import { addConfigMapRoute } from './config-map.ts'
import { addDeployRoute } from './deploy.ts'
import { addGetAgentRoute } from './get-agent.ts'
import { addListAgentsRoute } from './list-agents.ts'
import { addLogsRoute } from './logs.ts'
import { addProfileRoute } from './profile.ts'
import { addPublishBuildRoute } from './publish-build.ts'
import { addRegisterBuildRoute } from './register-build.ts'
import { addRestartPodRoute } from './restart-pod.ts'
import { addTracesRoute } from './traces.ts'
import { addUndeployRoute } from './undeploy.ts'
import { addValidateDeploymentRoute } from './validate-deployment.ts'

/** Adds every route of the REST API, and the document that describes them. */
export function addRoutes(app: App, context: GatewayContext): void {
  app.get('/api/v1/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () => app.swagger())
  for (const add of [
    addListAgentsRoute,
    addListAccountAgentsRoute,
    addGetAgentRoute,
    addRegisterBuildRoute,
    addPublishBuildRoute,
    addYankVersionRoutes,
    addAgentConfigRoute,
    addDeploymentTemplateRoute,
    addProfileRoute,
    addCreateAccountRoute,
    addRenameAccountRoute,
    addMemberRoutes,
    addDeployRoute,
    addValidateDeploymentRoute,
    addUndeployRoute,
    addLogsRoute,
    addConfigMapRoute,
    addRestartPodRoute,
    addTracesRoute,
  ]) {
    add(app, context)
  }
}
