import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { maxReplicas } from './endpoints.ts'
import { defaultSettings, replacementKeys, serviceNames } from './settings.ts'
import type { ReplacementKey, ServiceName, StackSettings } from './settings.ts'
import { UsageError } from '../usage-error.ts'

/** What `up` goes by. */
export interface UpInput {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Settings of the stack that is up already. */
  readonly previous: StackSettings | undefined
  /** What that stack wrote to its env file. */
  readonly previousEnv: ReadonlyMap<string, string>
}

/**
 * The settings that `up` was asked for; what it wasn't told stays as it is in a stack that is up
 * already.
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
    kubeconfig:
      values.kubeconfig === undefined ? previous.kubeconfig : existingFile(values.kubeconfig),
    external,
  }
  if (input.previous) refuseOtherCluster(input.previous, settings)
  if (settings.replicas.observability > 1 && external.CLICKHOUSE_URL === undefined) {
    throw new UsageError(
      'observability runs once while ClickHouse is in its process; set CLICKHOUSE_URL for several',
    )
  }
  return settings
}

// Everything in a cluster hangs on these two: they can't change below a stack that runs.
function refuseOtherCluster(previous: StackSettings, settings: StackSettings): void {
  if (settings.kubeconfig !== previous.kubeconfig) {
    throw new Error(
      `this stack runs on ${previous.kubeconfig ?? 'a cluster of its own'}; ./dev down first`,
    )
  }
  if (settings.internet !== previous.internet) {
    throw new Error(
      `this stack runs with${previous.internet ? '' : 'out'} --internet; ./dev down first`,
    )
  }
}

/** Reads `catalog=2,deployer=2`. */
export function parseReplicas(text: string): Partial<Record<ServiceName, number>> {
  const replicas: Partial<Record<ServiceName, number>> = {}
  for (const item of text.split(',')) {
    const [name, count] = item.split('=').map((part) => part.trim())
    const service = serviceNames.find((each) => each === name)
    if (!service)
      throw new UsageError(`--replicas: ${name || 'nothing'} is none of ${serviceNames.join(', ')}`)
    if (!/^\d+$/.test(count ?? '') || Number(count) < 1 || Number(count) > maxReplicas) {
      throw new UsageError(`--replicas: ${service} must be a number from 1 to ${maxReplicas}`)
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
      kubeconfig: { type: 'string' },
    },
    strict: true,
    allowPositionals: false,
    allowNegative: true,
  })
}

function existingFile(path: string): string {
  if (!existsSync(path)) throw new UsageError(`--kubeconfig: there is no ${path}`)
  return resolve(path)
}

function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new UsageError(`${option}: ${text} is no port`)
  return port
}

function replacements({
  env,
  previous,
  previousEnv,
}: UpInput): Partial<Record<ReplacementKey, string>> {
  const external: Partial<Record<ReplacementKey, string>> = { ...previous?.external }
  for (const key of replacementKeys) {
    const value = env[key]
    // A shell that has read this stack's own env file names the stack's own parts: these are
    // replaced by nothing.
    const isOwn = value === previousEnv.get(key) && external[key] === undefined
    if (value === undefined || value === '' || isOwn) continue
    if (!URL.canParse(value)) throw new UsageError(`${key} must be a URL`)
    external[key] = value
  }
  return external
}
