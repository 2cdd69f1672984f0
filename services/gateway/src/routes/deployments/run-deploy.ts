import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type CallOptions } from '@connectrpc/connect'
import type { RollbackTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_and_wait'
import type { DeployResult } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import type { DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { callFor } from '../../backend/call-options.ts'
import type { Clients } from '../../backend/clients.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { isInterruption } from './interruption.ts'

/** A deploy or a rollback, and how long to wait for its rollout. */
export interface DeployCall {
  readonly operation: Operation
  readonly waitMs: number
}

type Operation =
  | { case: 'deploy'; value: MessageInitShape<typeof DeployTargetSchema> }
  | { case: 'rollback'; value: Omit<MessageInitShape<typeof RollbackTargetSchema>, '$typeName'> }

type Deployments = Clients['deployments']

/**
 * Deploys or rolls back. If the gateway stops during the wait, or loses the deployer, returns the
 * result from before the wait.
 */
export async function runDeploy(
  { deployments }: Clients,
  call: DeployCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DeployResult | undefined> {
  const options = callFor(request, reply, DEPLOY_TIMEOUT_MS + call.waitMs)
  if (call.waitMs === 0) return await runOnce(deployments, call, options)
  try {
    return await runAndWait(deployments, call, options, request.server.openCalls.stopping)
  } catch (error) {
    // The deployer has the previous release.
    if (ConnectError.from(error).code !== Code.Unimplemented) throw error
    return await runOnce(deployments, call, options)
  }
}

async function runOnce(
  deployments: Deployments,
  { operation, waitMs }: DeployCall,
  options: CallOptions,
): Promise<DeployResult | undefined> {
  const wait = durationFromMs(waitMs)
  const { result } =
    operation.case === 'deploy'
      ? await deployments.deploy({ target: operation.value, wait }, options)
      : await deployments.rollback({ ...operation.value, wait }, options)
  return result
}

async function runAndWait(
  deployments: Deployments,
  { operation, waitMs }: DeployCall,
  options: CallOptions & { readonly signal: AbortSignal },
  stopping: AbortSignal,
): Promise<DeployResult | undefined> {
  const request = { operation, wait: durationFromMs(waitMs) }
  const waiting = new AbortController()
  const endWait = (): void => waiting.abort(stopping.reason)
  const signal = AbortSignal.any([options.signal, waiting.signal])
  let result: DeployResult | undefined
  try {
    for await (const response of deployments.deployAndWait(request, { ...options, signal })) {
      result = response.result
      // Not earlier: the deploy itself is never cut.
      if (stopping.aborted) endWait()
      else stopping.addEventListener('abort', endWait)
    }
  } catch (error) {
    if (result === undefined || !isInterruption(error)) throw error
  } finally {
    stopping.removeEventListener('abort', endWait)
  }
  return result
}
