import type { App } from '../app.ts'
import type { GatewayContext } from '../context.ts'
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
    addGetAgentRoute,
    addRegisterBuildRoute,
    addPublishBuildRoute,
    addProfileRoute,
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
