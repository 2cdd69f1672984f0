import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { applyDaemon, stopDaemon, waitUntil } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import { serviceEndpoints } from '../stack/endpoints.ts'
import type { ServiceEndpoints } from '../stack/endpoints.ts'
import type { Part, PortClaim } from '../stack/part.ts'
import { SERVICE_NAMES } from '../stack/settings.ts'
import type { ServiceName } from '../stack/settings.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'
import { ingestPeers } from './ingest-peers.ts'
import { otlpAddresses, serviceEnvironment } from './service-environment.ts'

// The parts that each service needs. Services don't wait for each other: they retry their calls.
const needs: Readonly<Record<ServiceName, readonly string[]>> = {
  catalog: ['postgres', 'nats', 'identity-provider'],
  deployer: ['postgres', 'nats', 'identity-provider', 'kubernetes'],
  // Pods send their traces to the node's address, which the network part creates.
  observability: ['postgres', 'nats', 'identity-provider', 'network'],
  gateway: ['nats', 'identity-provider', 'console'],
}

/** The four services, each with one or more processes. */
export const serviceParts: readonly Part[] = SERVICE_NAMES.map((name) => service(name))

function service(name: ServiceName): Part {
  return {
    name,
    needs: needs[name],

    ports: (stack) => serviceEndpoints(name, stack.settings).flatMap((each) => claims(stack, each)),

    async up(stack) {
      const endpoints = serviceEndpoints(name, stack.settings)
      if (name === 'observability') ensureDirectory(stack, join(stack.stateDir, 'clickhouse'))
      await Promise.all(endpoints.map((each) => startReplica(stack, name, each)))
      const wanted = new Set(endpoints.map(({ daemon }) => daemon))
      const surplus = runningReplicas(stack, name).filter((daemon) => !wanted.has(daemon))
      await Promise.all(surplus.map((daemon) => stopDaemon(stack, daemon)))
      return contribution(stack, name, endpoints)
    },

    async down(stack) {
      await Promise.all(
        runningReplicas(stack, name).map((daemon) =>
          stopDaemon(stack, daemon, { graceMs: 15_000 }),
        ),
      )
    },

    async status(stack) {
      const wanted = serviceEndpoints(name, stack.settings).map(({ daemon }) => daemon)
      return daemonStatuses(stack, wanted)
    },
  }
}

async function startReplica(
  stack: Stack,
  name: ServiceName,
  endpoints: ServiceEndpoints,
): Promise<void> {
  const { daemon, ops } = endpoints
  // Replaces a running process if its environment has changed, for example because of a new number
  // of replicas.
  await applyDaemon(stack, {
    name: daemon,
    command: process.execPath,
    args: [join(stack.checkout, 'services', name, 'src/main.ts')],
    env: {
      ...serviceEnvironment(stack, name, endpoints),
      ...(name === 'deployer' && (await ingestPeers(stack.settings.external.INGEST_URL))),
    },
    cwd: stack.checkout,
    ...stack.owner,
  })
  await waitUntil(`${daemon} is ready`, () => isReady(ops), { timeoutMs: 60_000, daemon, stack })
}

async function isReady(ops: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${ops}/readyz`, { signal: AbortSignal.timeout(3000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

function runningReplicas(stack: Stack, name: ServiceName): string[] {
  const pidFile = new RegExp(`^(${name}(?:-\\d+)?)\\.pid$`)
  return readdirSync(stack.runDir).flatMap((file) => pidFile.exec(file)?.[1] ?? [])
}

function claims(stack: Stack, endpoints: ServiceEndpoints): PortClaim[] {
  const { daemon, grpc, connect, ops, http, otlpPort, otlpGrpcPort } = endpoints
  const otlp = [otlpPort, otlpGrpcPort].flatMap((port) =>
    port === undefined ? [] : otlpAddresses(stack, port),
  )
  return [grpc, connect, ops, http, ...otlp].flatMap((address) => {
    const separator = address?.lastIndexOf(':') ?? -1
    if (address === undefined) return []
    return { host: address.slice(0, separator), port: Number(address.slice(separator + 1)), daemon }
  })
}

function contribution(
  stack: Stack,
  name: ServiceName,
  all: readonly ServiceEndpoints[],
): Record<string, string> {
  const prefix = name.toUpperCase()
  const list = (pick: (each: ServiceEndpoints) => string | undefined) =>
    all.flatMap((each) => pick(each) ?? []).join(',')
  const env: Record<string, string> = { [`${prefix}_OPS`]: list(({ ops }) => ops) }
  if (name === 'gateway') {
    env['SLIPWAY_URL'] = `http://${all[0]?.http}`
    env['GATEWAY_HTTP'] = list(({ http }) => http)
  } else {
    env[`${prefix}_GRPC`] = list(({ grpc }) => grpc)
    env[`${prefix}_CONNECT`] = list(({ connect }) => connect)
  }
  if (name === 'observability') {
    env['SLIPWAY_OTLP_URL'] = `http://127.0.0.1:${all[0]?.otlpPort}`
    env['SLIPWAY_OTLP_GRPC'] = `127.0.0.1:${all[0]?.otlpGrpcPort}`
    const replaced = stack.settings.external.CLICKHOUSE_URL
    if (replaced !== undefined) env['CLICKHOUSE_URL'] = replaced
  }
  return env
}
