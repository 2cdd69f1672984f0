import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MAX_REPLICAS } from './endpoints.ts'
import { defaultSettings, REPLACEMENT_KEYS, SERVICE_NAMES } from './settings.ts'
import type { ReplacementKey, ServiceName, StackSettings } from './settings.ts'
import { UsageError } from '../usage-error.ts'

/** The input that determines the settings of `up`. */
export interface UpInput {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The processor architecture of this machine. */
  readonly arch: NodeJS.Architecture
  /** Settings of the stack if it is already up. */
  readonly previous: StackSettings | undefined
  /** The env file of that stack. */
  readonly previousEnv: ReadonlyMap<string, string>
}

/**
 * Returns the settings for `up`. If the stack is already up, options that are omitted keep their
 * value. Throws a UsageError for wrong options, and an Error for settings that this machine or the
 * running stack doesn't allow.
 */
export function readUpOptions(input: UpInput): StackSettings {
  const { values } = parseUpArgs(input.args)
  const previous = input.previous ?? defaultSettings
  const external = replacements(input)
  const settings: StackSettings = {
    replicas: {
      ...previous.replicas,
      ...(values.replicas === undefined ? {} : parseReplicas(values.replicas)),
    },
    port: values.port === undefined ? previous.port : parsePort('--port', values.port),
    ingressPort:
      values['ingress-port'] === undefined
        ? previous.ingressPort
        : parsePort('--ingress-port', values['ingress-port']),
    internet: values.internet ?? previous.internet,
    inCluster: values['in-cluster'] ?? previous.inCluster,
    kubeconfig:
      values.kubeconfig === undefined ? previous.kubeconfig : existingFile(values.kubeconfig),
    external,
  }
  if (input.previous) refuseOtherCluster(input.previous, settings)
  if (settings.inCluster && settings.kubeconfig !== undefined)
    throw new UsageError('--in-cluster installs into the cluster of the stack, not of --kubeconfig')
  if (settings.replicas.observability > 1 && external.CLICKHOUSE_URL === undefined) {
    throw new UsageError(
      'with ClickHouse inside its process, observability has one replica; ' +
        'set CLICKHOUSE_URL to a ClickHouse server to run several',
    )
  }
  if (input.arch !== 'x64' && external.CLICKHOUSE_URL === undefined) {
    // npm has chdb's library (ClickHouse inside the process) for Linux on x64 only.
    throw new Error(
      `observability can't run ClickHouse inside its process on ${input.arch}; ` +
        'set CLICKHOUSE_URL to a ClickHouse server',
    )
  }
  return settings
}

// A running stack can't change these.
function refuseOtherCluster(previous: StackSettings, settings: StackSettings): void {
  if (settings.kubeconfig !== previous.kubeconfig) {
    const cluster = previous.kubeconfig ?? 'its own cluster'
    throw new Error(`this stack runs on ${cluster}; run ./dev down first`)
  }
  if (settings.internet !== previous.internet) {
    const present = previous.internet ? 'with' : 'without'
    throw new Error(`this stack runs ${present} --internet; run ./dev down first`)
  }
  if (settings.inCluster !== previous.inCluster) {
    const present = previous.inCluster ? 'in the cluster' : 'as processes of this machine'
    throw new Error(`this stack's services run ${present}; run ./dev down first`)
  }
}

/** Parses `catalog=2,deployer=2`; throws a UsageError. */
export function parseReplicas(text: string): Partial<Record<ServiceName, number>> {
  const replicas: Partial<Record<ServiceName, number>> = {}
  for (const item of text.split(',')) {
    const [name, count] = item.split('=').map((part) => part.trim())
    const service = SERVICE_NAMES.find((each) => each === name)
    if (!service) {
      const names = SERVICE_NAMES.join(', ')
      throw new UsageError(`--replicas: "${name}" is not a service; use ${names}`)
    }
    if (!/^\d+$/.test(count ?? '') || Number(count) < 1 || Number(count) > MAX_REPLICAS) {
      throw new UsageError(`--replicas: ${service} must be a number from 1 to ${MAX_REPLICAS}`)
    }
    replicas[service] = Number(count)
  }
  return replicas
}

function parseUpArgs(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      replicas: { type: 'string' },
      port: { type: 'string' },
      'ingress-port': { type: 'string' },
      internet: { type: 'boolean' },
      'in-cluster': { type: 'boolean' },
      kubeconfig: { type: 'string' },
    },
    strict: true,
    allowPositionals: false,
    allowNegative: true,
  })
}

function existingFile(path: string): string {
  if (!existsSync(path)) throw new UsageError(`--kubeconfig: ${path} does not exist`)
  return resolve(path)
}

function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw new UsageError(`${option}: ${text} is not a port (1 to 65535)`)
  return port
}

function replacements({
  env,
  previous,
  previousEnv,
}: UpInput): Partial<Record<ReplacementKey, string>> {
  const external: Partial<Record<ReplacementKey, string>> = { ...previous?.external }
  for (const key of REPLACEMENT_KEYS) {
    const value = env[key]
    // A shell that has read the stack's env file has the URLs of the stack's own parts.
    const isOwn = value === previousEnv.get(key) && external[key] === undefined
    if (value === undefined || value === '' || isOwn) continue
    if (!URL.canParse(value)) throw new UsageError(`${key} must be a URL`)
    external[key] = value
  }
  return external
}
