import { once } from 'node:events'

import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect'
import { LogService } from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { startGrpcServer } from '@slipway/shared/rpc'

import { partialService } from './partial-service.ts'

/** The deployment that is watched. */
export const DEPLOYMENT_ID = '0'.repeat(36)
/** When the line of an agent's log was written. */
export const LINE_TIME = new Date('2026-11-20T09:05:01.250Z')

/** A deployer whose calls run until the test releases or interrupts them. */
export interface StreamingDeployer extends AsyncDisposable {
  /** host:port for DEPLOYER_ADDRESS. */
  readonly address: string
  /** Number of calls so far. */
  readonly started: number
  /** Number of calls that are running. */
  readonly running: number
  /** Ends all calls; a log ends with a last line. */
  release(): void
  /** Ends all calls as a deployer does that stops. */
  interrupt(): void
}

/**
 * Starts the deployer. A log starts with one line, a watch with a snapshot, and a deploy that waits
 * with its result; then they wait to be released or aborted. Other deploys, and that of the agent
 * `slow`, wait from the start.
 */
export async function startStreamingDeployer(): Promise<StreamingDeployer> {
  const counts = { started: 0, running: 0 }
  const released = Promise.withResolvers<void>()
  async function hold<Value>({ signal }: HandlerContext, value: Value): Promise<Value> {
    counts.started += 1
    counts.running += 1
    try {
      await Promise.race([released.promise, once(signal, 'abort')])
      return value
    } finally {
      counts.running -= 1
    }
  }
  released.promise.catch(() => {})
  const done = { name: 'bot', status: DeployStatus.SUCCESS, deployTime: {} }
  const applied = {
    ...done,
    status: DeployStatus.PARTIAL,
    errors: ['agent: progressing'],
    rollout: { state: DeploymentState.PROGRESSING, waitInterrupted: true },
  }
  const server = await startGrpcServer(
    '127.0.0.1:0',
    [
      partialService(DeploymentService, {
        deploy: (_request, call) => hold(call, { result: done }),
        async *deployAndWait({ operation }, call) {
          if (operation.case === 'deploy' && operation.value.name === 'slow') {
            yield await hold(call, { result: applied })
            await once(call.signal, 'abort')
          } else {
            yield { result: applied }
            yield await hold(call, { result: done })
          }
        },
        async *watchDeployment(_request, call) {
          yield {
            type: DeploymentEventType.SNAPSHOT,
            deploymentId: DEPLOYMENT_ID,
            sequence: 7n,
          }
          await hold(call, undefined)
        },
      }),
      partialService(LogService, {
        async *streamAgentLogs(_request, call) {
          const nanos = LINE_TIME.getMilliseconds() * 1_000_000
          const time = { seconds: BigInt(Math.floor(LINE_TIME.getTime() / 1000)), nanos }
          const later = { ...time, seconds: time.seconds + 30n }
          yield { entries: [{ time: later, pod: 'p', eventReason: 'Unhealthy', text: 'late' }] }
          yield { entries: [{ time, pod: 'p', container: 'agent', text: 'first' }] }
          await hold(call, undefined)
        },
      }),
      partialService(WorkloadService, {
        async *streamLogs(_request, call) {
          yield { data: Buffer.from('first\n') }
          yield await hold(call, { data: Buffer.from('last\n') })
        },
      }),
    ],
    0,
  )
  return {
    address: server.address,
    get started() {
      return counts.started
    },
    get running() {
      return counts.running
    },
    release: () => released.resolve(),
    interrupt: () => released.reject(new ConnectError('stopping', Code.Unavailable)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
