import type { MessageInitShape } from '@bufbuild/protobuf'
import type { DeployResult } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import type { DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { readRemoteError, type RemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'

import type { KubernetesObject } from '../../src/domain/kubernetes-object.ts'
import type { KubernetesClient } from '../../src/kubernetes/client.ts'
import { listObjects } from '../../src/kubernetes/read.ts'
import type { Person, TestDeployer } from './deployer.ts'
import { PLAIN_SPEC } from './specs.ts'

/** Credentials that PLAIN_SPEC requires. */
export const CREDENTIALS = { API_TOKEN: 'first-secret-value' }

/** Timeout of calls that wait for locks or for the cluster. */
export const CALL_MS = 240_000
/** Timeout of rollouts whose images are on the node. */
export const ROLLOUT_SECONDS = 120

/** An object with the fields that tests read. */
export type Seen = KubernetesObject & {
  data?: Record<string, string>
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
}

/** Returns the calls of a user on an agent of their account. */
export function agentOf(deployer: TestDeployer, owner: Person, name: string) {
  const { account, options } = owner
  const { deployments, workloads, agents, cluster } = deployer
  return {
    name,
    register: (buildId = 'b1', specContent = PLAIN_SPEC) =>
      agents.registerBuild(
        { account, name, buildId, registry: 'oci://registry.example', specContent },
        options,
      ),
    publish: (buildId: string, version: string) =>
      agents.publishBuild({ account, name, buildId, version }, options),
    deploy: (
      userCredentials: Record<string, string> = CREDENTIALS,
      target: MessageInitShape<typeof DeployTargetSchema> = {},
      waitSeconds = 0,
    ) =>
      resultOf(
        deployments.deploy(
          {
            target: { account, name, userCredentials, ...target },
            wait: { seconds: BigInt(waitSeconds) },
          },
          { ...options, timeoutMs: CALL_MS },
        ),
      ),
    validate: (userCredentials: Record<string, string> = CREDENTIALS, request = {}) =>
      deployments.validateDeployment(
        { target: { account, name, userCredentials }, ...request },
        options,
      ),
    undeploy: () => deployments.undeploy({ account, name }, { ...options, timeoutMs: CALL_MS }),
    rollback: (request: { revision?: number } = {}) =>
      resultOf(
        deployments.rollback({ account, name, ...request }, { ...options, timeoutMs: CALL_MS }),
      ),
    get: async () => (await deployments.getDeployment({ account, name }, options)).deployment,
    /** A pod of the first component. The deployer may see it after the workload is ready. */
    podName: async () =>
      await waitFor(
        async () => {
          const { deployment } = await deployments.getDeployment({ account, name }, options)
          return deployment?.components[0]?.pods[0]?.name
        },
        { what: 'the pod to be seen' },
      ),
    currentBuild: (request: { version?: string } = {}) =>
      deployments.getCurrentBuild({ account, name, ...request }, options),
    revisions: async () => (await deployments.listRevisions({ account, name }, options)).revisions,
    rotate: (grace?: bigint) =>
      deployments.rotateIngestToken(
        { account, name, ...(grace !== undefined && { grace: { seconds: grace } }) },
        { ...options, timeoutMs: CALL_MS },
      ),
    watch: (signal: AbortSignal) =>
      deployments.watchDeployment({ account, name }, { ...options, signal }),
    trigger: (namespace: string, ingestion: string) =>
      workloads.triggerIngestion({ account, namespace, ingestion }, options),
    list: (kind: string, namespace: string) => listIn(cluster, kind, namespace),
  }
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  CronJob: 'batch/v1',
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  Job: 'batch/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  StatefulSet: 'apps/v1',
}

/** Lists the objects of a kind in a namespace. */
export async function listIn(
  cluster: KubernetesClient,
  kind: string,
  namespace: string,
): Promise<readonly Seen[]> {
  const apiVersion = API_VERSIONS[kind] ?? 'v1'
  return (await listObjects<Seen>(cluster, { apiVersion, kind, namespace })).items
}

/** Returns the decoded contents of Secrets as `KEY=value`, sorted. */
export function contentOf(secrets: readonly Seen[]): string[] {
  return secrets
    .flatMap(({ data }) =>
      Object.entries(data ?? {}).map(
        ([key, value]) => `${key}=${Buffer.from(value, 'base64').toString()}`,
      ),
    )
    .sort()
}

/** Returns the set of statuses in a result. */
export const statusesOf = ({ resources }: DeployResult): Set<number> =>
  new Set(resources.map(({ status }) => status))

/** Result of a deploy or a rollback. */
export async function resultOf(
  call: Promise<{ readonly result?: DeployResult | undefined }>,
): Promise<DeployResult> {
  const { result } = await call
  if (result === undefined) throw new Error('the response has no result')
  return result
}

/** Returns the error that a call fails with. */
export async function failure(call: Promise<unknown>): Promise<RemoteError> {
  try {
    await call
  } catch (error) {
    return readRemoteError(error)
  }
  throw new Error('the call succeeded, but must fail')
}
