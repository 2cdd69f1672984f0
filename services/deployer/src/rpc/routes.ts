import type { ServiceImpl } from '@connectrpc/connect'
import { LogService } from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { IngestionService } from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { withIdempotencyKeys } from '@slipway/shared/idempotency'
import {
  guardService,
  type AccessRules,
  type GuardedService,
  type PolicyDependencies,
} from '@slipway/shared/rpc'

import type { DeployerContext } from '../context.ts'
import { cancelIngestionRun } from './cancel-ingestion-run.ts'
import { deleteAccount } from './delete-account.ts'
import { deleteAgent } from './delete-agent.ts'
import { deployAndWait } from './deploy-and-wait.ts'
import { deploy } from './deploy.ts'
import { getAccountUsage } from './get-account-usage.ts'
import { getConfigMap } from './get-config-map.ts'
import { getCurrentBuild } from './get-current-build.ts'
import { getDeployment } from './get-deployment.ts'
import { getRevision } from './get-revision.ts'
import { listDeployments } from './list-deployments.ts'
import { listIngestionRuns } from './list-ingestion-runs.ts'
import { listIngestions } from './list-ingestions.ts'
import { listRevisions } from './list-revisions.ts'
import { resolveIngestToken } from './resolve-ingest-token.ts'
import { restartPod } from './restart-pod.ts'
import { rollback } from './rollback.ts'
import { rotateIngestToken } from './rotate-ingest-token.ts'
import { streamAgentLogs } from './stream-agent-logs.ts'
import { suspendIngestion } from './suspend-ingestion.ts'
import { startIngestionRun } from './start-ingestion-run.ts'
import { streamLogs } from './stream-logs.ts'
import { triggerIngestion } from './trigger-ingestion.ts'
import { undeploy } from './undeploy.ts'
import { validateDeployment } from './validate-deployment.ts'
import { watchDeployment } from './watch-deployment.ts'

/** The deployer's RPCs with their policies. */
export function routes(
  context: DeployerContext,
  dependencies: PolicyDependencies,
): readonly GuardedService[] {
  const workloads = withIdempotencyKeys(
    WorkloadService,
    workloadService(context),
    KEYED_WORKLOAD_METHODS,
    context.db,
  )
  const ingestions = withIdempotencyKeys(
    IngestionService,
    ingestionService(context),
    KEYED_INGESTION_METHODS,
    context.db,
  )
  return [
    guardService(DeploymentService, deploymentService(context), DEPLOYMENT_ACCESS, dependencies),
    guardService(WorkloadService, workloads, WORKLOAD_ACCESS, dependencies),
    guardService(
      LogService,
      { streamAgentLogs: streamAgentLogs(context) },
      { streamAgentLogs: 'user' },
      dependencies,
    ),
    guardService(IngestionService, ingestions, INGESTION_ACCESS, dependencies),
  ]
}

function deploymentService(context: DeployerContext): ServiceImpl<typeof DeploymentService> {
  const handlers: ServiceImpl<typeof DeploymentService> = {
    deploy: deploy(context),
    // With the keys of the two.
    deployAndWait: deployAndWait(() => keyed),
    validateDeployment: validateDeployment(context),
    undeploy: undeploy(context),
    rollback: rollback(context),
    getDeployment: getDeployment(context),
    getCurrentBuild: getCurrentBuild(context),
    listDeployments: listDeployments(context),
    listRevisions: listRevisions(context),
    getRevision: getRevision(context),
    watchDeployment: watchDeployment(context),
    rotateIngestToken: rotateIngestToken(context),
    deleteAgent: deleteAgent(context),
    deleteAccount: deleteAccount(context),
    getAccountUsage: getAccountUsage(context),
  }
  const keyed = withIdempotencyKeys(
    DeploymentService,
    handlers,
    KEYED_DEPLOYMENT_METHODS,
    context.db,
  )
  return keyed
}

function workloadService(context: DeployerContext): ServiceImpl<typeof WorkloadService> {
  return {
    streamLogs: streamLogs(context),
    getConfigMap: getConfigMap(context),
    restartPod: restartPod(context),
    triggerIngestion: triggerIngestion(context),
    resolveIngestToken: resolveIngestToken(context),
  }
}

function ingestionService(context: DeployerContext): ServiceImpl<typeof IngestionService> {
  return {
    listIngestions: listIngestions(context),
    listIngestionRuns: listIngestionRuns(context),
    startIngestionRun: startIngestionRun(context),
    cancelIngestionRun: cancelIngestionRun(context),
    suspendIngestion: suspendIngestion(context),
  }
}

const KEYED_DEPLOYMENT_METHODS = ['deploy', 'undeploy', 'rollback', 'rotateIngestToken'] as const

const KEYED_WORKLOAD_METHODS = ['restartPod', 'triggerIngestion'] as const

const KEYED_INGESTION_METHODS = [
  'startIngestionRun',
  'cancelIngestionRun',
  'suspendIngestion',
] as const

const DEPLOYMENT_ACCESS: AccessRules<typeof DeploymentService> = {
  deploy: 'user',
  deployAndWait: 'user',
  validateDeployment: 'user',
  undeploy: 'user',
  rollback: 'user',
  getDeployment: 'user',
  getCurrentBuild: 'user',
  listDeployments: 'user',
  listRevisions: 'user',
  getRevision: 'user',
  watchDeployment: 'user',
  rotateIngestToken: 'user',
  deleteAgent: 'user',
  deleteAccount: 'user',
  getAccountUsage: 'user',
}

const WORKLOAD_ACCESS: AccessRules<typeof WorkloadService> = {
  streamLogs: 'user',
  getConfigMap: 'user',
  restartPod: 'user',
  triggerIngestion: 'user',
  resolveIngestToken: { services: ['observability'] },
}

const INGESTION_ACCESS: AccessRules<typeof IngestionService> = {
  listIngestions: 'user',
  listIngestionRuns: 'user',
  startIngestionRun: 'user',
  cancelIngestionRun: 'user',
  suspendIngestion: 'user',
}
