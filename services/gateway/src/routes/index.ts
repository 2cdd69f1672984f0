import type { App } from '../http/app-type.ts'
import type { GatewayContext } from '../context.ts'
import { addAgentConfigRoute } from './agents/get-agent-config.ts'
import { addAgentSpecSchemaRoute } from './agents/get-agent-spec-schema.ts'
import { addConfigMapRoute } from './deployments/get-config-map.ts'
import { addCreateAccountRoute } from './accounts/create-account.ts'
import { addDeployRoute } from './deployments/deploy.ts'
import { addDeploymentEventsRoute } from './deployments/watch-deployment.ts'
import { addDeploymentTemplateRoute } from './agents/get-deployment-template.ts'
import { addGetAgentRoute } from './agents/get-agent.ts'
import { addGetDeploymentRoute } from './deployments/get-deployment.ts'
import { addListAccountAgentsRoute } from './agents/list-account-agents.ts'
import { addListAgentsRoute } from './agents/list-agents.ts'
import { addListDeploymentsRoute } from './deployments/list-deployments.ts'
import { addListRevisionsRoute } from './deployments/list-revisions.ts'
import { addLogsRoute } from './deployments/stream-logs.ts'
import { addMemberRoutes } from './accounts/members.ts'
import { addMetricsRoute } from './traces/get-metrics.ts'
import { addProfileRoute } from './accounts/get-profile.ts'
import { addPublishBuildRoute } from './agents/publish-build.ts'
import { addRegisterBuildRoute } from './agents/register-build.ts'
import { addRenameAccountRoute } from './accounts/rename-account.ts'
import { addRestartPodRoute } from './deployments/restart-pod.ts'
import { addRollbackRoute } from './deployments/rollback.ts'
import { addRotateIngestTokenRoute } from './deployments/rotate-ingest-token.ts'
import { addSummaryRoute } from './traces/get-summary.ts'
import { addTraceRoute } from './traces/get-trace.ts'
import { addTracesRoute } from './traces/list-traces.ts'
import { addTriggerIngestionRoute } from './deployments/trigger-ingestion.ts'
import { addUndeployRoute } from './deployments/undeploy.ts'
import { addValidateDeploymentRoute } from './deployments/validate-deployment.ts'
import { addYankVersionRoutes } from './agents/yank-version.ts'

/** Adds every route of the REST API, and the document that describes them. */
export function addRoutes(app: App, context: GatewayContext): void {
  app.get(
    '/api/v1/openapi.json',
    { config: { access: 'public' }, schema: { hide: true } },
    async () => app.swagger(),
  )
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
