import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createClient, type CallOptions, type Transport } from '@connectrpc/connect'
import { LogService } from '@slipway/proto/slipway/deployer/v1/agent_logs'
import type { DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { IngestionService } from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'

import type { DeploymentCase } from '../cases/deployment-case.ts'

interface Target {
  readonly account?: string
  readonly name?: string
  readonly source_account?: string
  readonly build_id?: string
  readonly version?: string
  readonly user_credentials?: Record<string, string>
  readonly interfaces?: string[]
  readonly schedules?: Record<string, string>
  readonly overrides?: object
}

/** Calls the RPC of a case's route; returns the first message of a stream. */
export async function callAsRpc(
  transport: Transport,
  each: DeploymentCase,
  options: CallOptions,
): Promise<unknown> {
  const deployments = createClient(DeploymentService, transport)
  const workloads = createClient(WorkloadService, transport)
  const logs = createClient(LogService, transport)
  const ingestions = createClient(IngestionService, transport)
  const { params = {}, query = {}, headers = {} } = each
  const body = (each.body ?? {}) as Target & { readonly revision?: number }
  const { name = '', namespace = '' } = params
  const account = params['account'] ?? query['account'] ?? ''
  const wait = { seconds: BigInt(query['wait'] ?? 0) }
  const { ingestion = '', run = '' } = params
  const page = { pageSize: Number(query['limit'] ?? 0), pageToken: query['cursor'] ?? '' }
  switch (each.route) {
    case 'POST /deploy':
      return await deployments.deploy({ target: targetOf(body), wait }, options)
    case 'POST /deploy/validate': {
      const dryRunServer = query['dry_run'] === 'server'
      return await deployments.validateDeployment({ target: targetOf(body), dryRunServer }, options)
    }
    case 'POST /undeploy':
      return await deployments.undeploy(
        { account: body.account ?? '', name: body.name ?? '' },
        options,
      )
    case 'GET /deployments':
      return await deployments.listDeployments({ ...page, account }, options)
    case 'GET /agents/{account}/{name}/deployment':
      return await deployments.getDeployment({ account, name }, options)
    case 'GET /agents/{account}/{name}/deployment/revisions':
      return await deployments.listRevisions({ ...page, account, name }, options)
    case 'GET /agents/{account}/{name}/deployment/revisions/{revision}': {
      const revision = Number(params['revision'])
      return await deployments.getRevision({ account, name, revision }, options)
    }
    case 'GET /agents/{account}/{name}/deployment/events': {
      const [afterDeploymentId, sequence] = headers['last-event-id']?.split(':') ?? []
      const after =
        afterDeploymentId === undefined
          ? {}
          : { afterDeploymentId, afterSequence: BigInt(sequence ?? '') }
      return await firstOf((signal) =>
        deployments.watchDeployment({ account, name, ...after }, { ...options, signal }),
      )
    }
    case 'GET /agents/{account}/{name}/deployment/logs': {
      const { component = '', since, tailLines = 0 } = query
      const log = {
        account,
        name,
        component,
        tailLines: Number(tailLines),
        ...(since !== undefined && { since: timestampFromDate(new Date(since)) }),
      }
      return await firstOf((signal) => logs.streamAgentLogs(log, { ...options, signal }))
    }
    case 'POST /agents/{account}/{name}/deployment/rollback': {
      const revision = body.revision === undefined ? {} : { revision: body.revision }
      return await deployments.rollback({ account, name, ...revision, wait }, options)
    }
    case 'POST /agents/{account}/{name}/deployment/rotate-ingest-token':
      return await deployments.rotateIngestToken(
        {
          account,
          name,
          ...(query['grace'] !== undefined && { grace: { seconds: BigInt(query['grace']) } }),
        },
        options,
      )
    case 'GET /deployments/{namespace}/logs': {
      const { pod = '', container = '' } = query
      const bounds = {
        tailLines: Number(query['tailLines'] ?? 0),
        sinceSeconds: Number(query['sinceSeconds'] ?? 0),
      }
      const log = {
        account,
        namespace,
        pod,
        container,
        ...bounds,
        previous: query['previous'] === 'true',
      }
      return await firstOf((signal) => workloads.streamLogs(log, { ...options, signal }))
    }
    case 'GET /deployments/{namespace}/configmap/{cmname}':
      return await workloads.getConfigMap(
        { account, namespace, name: params['cmname'] ?? '' },
        options,
      )
    case 'POST /deployments/{namespace}/pods/{pod}/restart':
      return await workloads.restartPod({ account, namespace, pod: params['pod'] ?? '' }, options)
    case 'POST /deployments/{namespace}/ingestion/{ingestion}/trigger':
      return await workloads.triggerIngestion(
        { account, namespace, ingestion: params['ingestion'] ?? '' },
        options,
      )
    case 'GET /agents/{account}/{name}/deployment/ingestions':
      return await ingestions.listIngestions({ account, name }, options)
    case 'GET /agents/{account}/{name}/deployment/ingestions/{ingestion}/runs':
      return await ingestions.listIngestionRuns({ ...page, account, name, ingestion }, options)
    case 'POST /agents/{account}/{name}/deployment/ingestions/{ingestion}/runs':
      return await ingestions.startIngestionRun({ account, name, ingestion }, options)
    case 'POST /agents/{account}/{name}/deployment/ingestions/{ingestion}/runs/{run}/cancel':
      return await ingestions.cancelIngestionRun({ account, name, ingestion, run }, options)
    case 'POST /agents/{account}/{name}/deployment/ingestions/{ingestion}/suspend':
    case 'POST /agents/{account}/{name}/deployment/ingestions/{ingestion}/resume': {
      const suspended = each.route.endsWith('/suspend')
      const choice = { account, name, ingestion, suspended }
      return await ingestions.suspendIngestion(choice, options)
    }
    default:
      throw new Error(`there is no RPC for ${each.route}`)
  }
}

function targetOf(body: Target): MessageInitShape<typeof DeployTargetSchema> {
  return {
    account: body.account ?? '',
    name: body.name ?? '',
    sourceAccount: body.source_account ?? '',
    buildId: body.build_id ?? '',
    version: body.version ?? '',
    userCredentials: body.user_credentials ?? {},
    ...(body.interfaces === undefined ? {} : { interfaces: { names: body.interfaces } }),
    ...(body.schedules === undefined ? {} : { schedules: { schedules: body.schedules } }),
    overridesJson: body.overrides === undefined ? '' : JSON.stringify(body.overrides),
  }
}

async function firstOf<Message>(
  open: (signal: AbortSignal) => AsyncIterable<Message>,
): Promise<Message | undefined> {
  const ended = new AbortController()
  try {
    for await (const message of open(ended.signal)) return message
    return undefined
  } finally {
    ended.abort()
  }
}
