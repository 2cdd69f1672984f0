import { once } from 'node:events'
import { setImmediate as tick } from 'node:timers/promises'

import { timestampMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect'
import { LogService } from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { startGrpcServer } from '@slipway/shared/rpc'

import { partialService } from './partial-service.ts'

const DEPLOYMENT_ID = '1'.repeat(36)
/** Lines of one moment, so that times don't identify them. */
const LINES_PER_MOMENT = 3
const MOMENT_MS = 400

/** A deployer whose streams have numbered events and lines, and end only when they are cut. */
export interface NumberedDeployer extends AsyncDisposable {
  /** host:port for DEPLOYER_ADDRESS. */
  readonly address: string
  /** Number of streams so far. */
  readonly started: number
  /** The streams that run end as those of a deployer that stops. */
  interrupt(): void
}

/**
 * Starts the deployer. A watch has an event for each number up to `count`. A log of an agent has a
 * line for each number of two containers, and one of a pod those of one, with times in the past.
 */
export async function startNumberedDeployer(count: number): Promise<NumberedDeployer> {
  let started = 0
  let interruption = Promise.withResolvers<never>()
  interruption.promise.catch(() => {})
  const startMs = Math.floor(Date.now() / 1000) * 1000 - count * MOMENT_MS
  const timeOf = (number: number) => startMs + Math.floor(number / LINES_PER_MOMENT) * MOMENT_MS

  /** Yields the numbers from `first` on, and waits for the end of the call. */
  async function* numbers(first: number, { signal }: HandlerContext): AsyncGenerator<number> {
    started += 1
    const { promise } = interruption
    for (let number = first; number <= count; number += 1) {
      yield number
      await Promise.race([tick(), promise])
    }
    await Promise.race([once(signal, 'abort'), promise])
  }

  const server = await startGrpcServer(
    '127.0.0.1:0',
    [
      partialService(DeploymentService, {
        async *watchDeployment({ afterSequence }, call) {
          const isResumed = afterSequence !== undefined
          const [deploymentId, commitTime] = [DEPLOYMENT_ID, {}]
          if (isResumed) yield { type: DeploymentEventType.RESUMED, deploymentId }
          for await (const number of numbers(Number(afterSequence ?? 0n) + 1, call)) {
            const type =
              number === 1 ? DeploymentEventType.SNAPSHOT : DeploymentEventType.STATE_CHANGED
            yield { type, deploymentId, sequence: BigInt(number), commitTime }
          }
        },
      }),
      partialService(LogService, {
        async *streamAgentLogs({ since }, call) {
          yield { entries: [] }
          const sinceMs = since === undefined ? 0 : timestampMs(since)
          for await (const number of numbers(1, call)) {
            const timeMs = timeOf(number)
            if (timeMs < sinceMs) continue
            const time = {
              seconds: BigInt(Math.floor(timeMs / 1000)),
              nanos: (timeMs % 1000) * 1e6,
            }
            // The same line twice, as a program writes that repeats itself.
            const text = `line ${number}`
            const entry = { time, pod: 'p', component: 'agent' }
            yield {
              entries: [
                { ...entry, container: 'a', text },
                { ...entry, container: 'b', text },
                { ...entry, container: 'b', text },
              ],
            }
          }
        },
      }),
      partialService(WorkloadService, {
        async *streamLogs({ sinceSeconds }, call) {
          const sinceMs = sinceSeconds === 0 ? 0 : Date.now() - sinceSeconds * 1000
          for await (const number of numbers(1, call)) {
            const timeMs = timeOf(number)
            if (timeMs < sinceMs) continue
            yield { data: Buffer.from(`${new Date(timeMs).toISOString()} line ${number}\n`) }
          }
        },
      }),
    ],
    0,
  )
  return {
    address: server.address,
    get started() {
      return started
    },
    interrupt() {
      interruption.reject(new ConnectError('stopping', Code.Unavailable))
      interruption = Promise.withResolvers()
      interruption.promise.catch(() => {})
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
