import type { GatewayContext } from '../context.ts'
import type { App } from '../http/app-type.ts'
import { addCreateAccountRoute } from './accounts/create-account.ts'
import { addCreateTokenRoute } from './accounts/create-token.ts'
import { addDeleteAccountRoute } from './accounts/delete-account.ts'
import { addDeleteMemberRoute } from './accounts/delete-member.ts'
import { addDeleteTokenRoute } from './accounts/delete-token.ts'
import { addGetProfileRoute } from './accounts/get-profile.ts'
import { addGetUsageRoute } from './accounts/get-usage.ts'
import { addListMembersRoute } from './accounts/list-members.ts'
import { addListTokensRoute } from './accounts/list-tokens.ts'
import { addPutMemberRoute } from './accounts/put-member.ts'
import { addRenameAccountRoute } from './accounts/rename-account.ts'
import { addDeleteAgentRoute } from './agents/delete-agent.ts'
import { addDeleteBuildRoute } from './agents/delete-build.ts'
import { addGetAgentConfigRoute } from './agents/get-agent-config.ts'
import { addGetAgentSpecSchemaRoute } from './agents/get-agent-spec-schema.ts'
import { addGetAgentRoute } from './agents/get-agent.ts'
import { addGetDeploymentTemplateRoute } from './agents/get-deployment-template.ts'
import { addListAccountAgentsRoute } from './agents/list-account-agents.ts'
import { addListAgentsRoute } from './agents/list-agents.ts'
import { addPublishBuildRoute } from './agents/publish-build.ts'
import { addRegisterBuildRoute } from './agents/register-build.ts'
import { addYankVersionRoutes } from './agents/yank-version.ts'
import { addCancelIngestionRunRoute } from './deployments/cancel-ingestion-run.ts'
import { addDeployRoute } from './deployments/deploy.ts'
import { addGetConfigMapRoute } from './deployments/get-config-map.ts'
import { addGetDeploymentRoute } from './deployments/get-deployment.ts'
import { addGetRevisionRoute } from './deployments/get-revision.ts'
import { addListDeploymentsRoute } from './deployments/list-deployments.ts'
import { addListIngestionRunsRoute } from './deployments/list-ingestion-runs.ts'
import { addListIngestionsRoute } from './deployments/list-ingestions.ts'
import { addListRevisionsRoute } from './deployments/list-revisions.ts'
import { addRestartPodRoute } from './deployments/restart-pod.ts'
import { addRollbackRoute } from './deployments/rollback.ts'
import { addRotateIngestTokenRoute } from './deployments/rotate-ingest-token.ts'
import { addStreamAgentLogsRoute } from './deployments/stream-agent-logs.ts'
import { addStartIngestionRunRoute } from './deployments/start-ingestion-run.ts'
import { addStreamLogsRoute } from './deployments/stream-logs.ts'
import { addSuspendIngestionRoutes } from './deployments/suspend-ingestion.ts'
import { addTriggerIngestionRoute } from './deployments/trigger-ingestion.ts'
import { addUndeployRoute } from './deployments/undeploy.ts'
import { addValidateDeploymentRoute } from './deployments/validate-deployment.ts'
import { addWatchDeploymentRoute } from './deployments/watch-deployment.ts'
import { addExportTraceRoute } from './traces/export-trace.ts'
import { addExportTracesRoute } from './traces/export-traces.ts'
import { addGetMetricsRoute } from './traces/get-metrics.ts'
import { addGetSessionRoute } from './traces/get-session.ts'
import { addGetSummaryRoute } from './traces/get-summary.ts'
import { addGetTraceRoute } from './traces/get-trace.ts'
import { addListSessionsRoute } from './traces/list-sessions.ts'
import { addListTracesRoute } from './traces/list-traces.ts'
import { addBeginSignInRoute } from './auth/begin-sign-in.ts'
import { addCompleteSignInRoute } from './auth/complete-sign-in.ts'
import { addGetSessionRoute as addGetBrowserSessionRoute } from './auth/get-session.ts'
import { addSignOutRoute } from './auth/sign-out.ts'
import { addGetApiDocumentRoute } from './get-api-document.ts'
import { addGetResourceMetadataRoutes } from './get-resource-metadata.ts'

/** Adds every route of the REST API. */
export function addRoutes(app: App, context: GatewayContext): void {
  for (const add of [
    addGetApiDocumentRoute,
    addGetResourceMetadataRoutes,
    addBeginSignInRoute,
    addCompleteSignInRoute,
    addGetBrowserSessionRoute,
    addSignOutRoute,
    addListAgentsRoute,
    addListAccountAgentsRoute,
    addGetAgentRoute,
    addRegisterBuildRoute,
    addPublishBuildRoute,
    addYankVersionRoutes,
    addDeleteBuildRoute,
    addDeleteAgentRoute,
    addGetAgentConfigRoute,
    addGetDeploymentTemplateRoute,
    addGetAgentSpecSchemaRoute,
    addGetProfileRoute,
    addCreateAccountRoute,
    addRenameAccountRoute,
    addDeleteAccountRoute,
    addListMembersRoute,
    addPutMemberRoute,
    addDeleteMemberRoute,
    addListTokensRoute,
    addCreateTokenRoute,
    addDeleteTokenRoute,
    addGetUsageRoute,
    addDeployRoute,
    addValidateDeploymentRoute,
    addUndeployRoute,
    addListDeploymentsRoute,
    addGetDeploymentRoute,
    addListRevisionsRoute,
    addGetRevisionRoute,
    addRollbackRoute,
    addWatchDeploymentRoute,
    addRotateIngestTokenRoute,
    addStreamLogsRoute,
    addStreamAgentLogsRoute,
    addGetConfigMapRoute,
    addRestartPodRoute,
    addTriggerIngestionRoute,
    addListIngestionsRoute,
    addListIngestionRunsRoute,
    addStartIngestionRunRoute,
    addCancelIngestionRunRoute,
    addSuspendIngestionRoutes,
    addListTracesRoute,
    addGetTraceRoute,
    addListSessionsRoute,
    addGetSessionRoute,
    addExportTraceRoute,
    addExportTracesRoute,
    addGetMetricsRoute,
    addGetSummaryRoute,
  ]) {
    add(app, context)
  }
}
