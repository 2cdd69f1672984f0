import type { App } from '../app.ts'
import type { GatewayContext } from '../context.ts'
import { addAgentConfigRoute } from './agent-config.ts'
import { addAgentSpecSchemaRoute } from './agent-spec-schema.ts'
import { addConfigMapRoute } from './config-map.ts'
import { addCreateAccountRoute } from './create-account.ts'
import { addDeployRoute } from './deploy.ts'
import { addDeploymentEventsRoute } from './deployment-events.ts'
import { addDeploymentTemplateRoute } from './deployment-template.ts'
import { addGetAgentRoute } from './get-agent.ts'
import { addGetDeploymentRoute } from './get-deployment.ts'
import { addListAccountAgentsRoute } from './list-account-agents.ts'
import { addListAgentsRoute } from './list-agents.ts'
import { addListDeploymentsRoute } from './list-deployments.ts'
import { addListRevisionsRoute } from './list-revisions.ts'
import { addLogsRoute } from './logs.ts'
import { addMemberRoutes } from './members.ts'
import { addMetricsRoute } from './metrics.ts'
import { addProfileRoute } from './profile.ts'
import { addPublishBuildRoute } from './publish-build.ts'
import { addRegisterBuildRoute } from './register-build.ts'
import { addRenameAccountRoute } from './rename-account.ts'
import { addRestartPodRoute } from './restart-pod.ts'
import { addRollbackRoute } from './rollback.ts'
import { addRotateIngestTokenRoute } from './rotate-ingest-token.ts'
import { addSummaryRoute } from './summary.ts'
import { addTraceRoute } from './trace.ts'
import { addTracesRoute } from './traces.ts'
import { addTriggerIngestionRoute } from './trigger-ingestion.ts'
import { addUndeployRoute } from './undeploy.ts'
import { addValidateDeploymentRoute } from './validate-deployment.ts'
import { addYankVersionRoutes } from './yank-version.ts'

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
    addAgentSpecSchemaRoute,
    addProfileRoute,
    addCreateAccountRoute,
    addRenameAccountRoute,
    addMemberRoutes,
    addDeployRoute,
    addValidateDeploymentRoute,
    addUndeployRoute,
    addListDeploymentsRoute,
    addGetDeploymentRoute,
    addListRevisionsRoute,
    addRollbackRoute,
    addDeploymentEventsRoute,
    addRotateIngestTokenRoute,
    addLogsRoute,
    addConfigMapRoute,
    addRestartPodRoute,
    addTriggerIngestionRoute,
    addTracesRoute,
    addTraceRoute,
    addMetricsRoute,
    addSummaryRoute,
  ]) {
    add(app, context)
  }
}
