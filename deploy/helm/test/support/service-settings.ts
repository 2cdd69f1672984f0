import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { readConfig as readObservabilityConfig } from '@slipway/observability/config'
import { readMigrateConfig } from '@slipway/observability/migrate-command'
import { parseConfig } from '@slipway/shared/config'
import { readDatabaseUrl } from '@slipway/shared/db'
import { mountFiles } from './mounted-files.ts'
import type { ChartObject, Container, Pod } from './objects.ts'

/** Variables of a process. */
export type Environment = Record<string, string | undefined>

/** Reads the settings of a process; throws with their problems. */
export type ReadConfig = (env: Environment) => unknown

const readDatabaseConfig: ReadConfig = (env) =>
  parseConfig(env, (reader) => ({ url: readDatabaseUrl(reader) }))

/** How each service reads its settings, and how its `migrate` does. */
export const SERVICES = [
  { service: 'catalog', readConfig: readCatalogConfig, readMigration: readDatabaseConfig },
  { service: 'deployer', readConfig: readDeployerConfig, readMigration: readDatabaseConfig },
  { service: 'gateway', readConfig: readGatewayConfig, readMigration: undefined },
  {
    service: 'observability',
    readConfig: readObservabilityConfig,
    readMigration: readMigrateConfig,
  },
]

// What Secrets that the chart doesn't make have.
const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://slipway:secret@postgres.example.com/slipway',
  SECRET_NAME_KEY: 'ab'.repeat(32),
  IDEMPOTENCY_KEY_SECRET: 'cd'.repeat(32),
  SESSION_KEY: 'ef'.repeat(32),
  SESSION_KEY_FORMER: 'ab'.repeat(32),
  SIGN_IN_CLIENT_SECRET: 'secret',
  CLICKHOUSE_URL: 'https://slipway:secret@clickhouse.example.com:8443',
}

/** Where the files of containers are written, and those of Secrets that the chart doesn't make. */
export interface Place {
  readonly directory: string
  readonly files: Readonly<Record<string, string>>
}

/** The variables of a container, with the values of Secrets and the paths of mounted files. */
export function environmentOf(
  objects: readonly ChartObject[],
  { pod, container }: { readonly pod: Pod; readonly container: Container },
  { directory, files }: Place,
): Environment {
  const root = mountFiles(objects, { pod, container }, directory, files)
  const made = objects.find(({ kind }) => kind === 'Secret')
  const variables = (container.env ?? []).map(({ name, value, valueFrom }) => {
    if (valueFrom === undefined) return [name, value?.replace(/^\/etc\//, `${root}/etc/`)] as const
    const { name: secret, key } = valueFrom.secretKeyRef
    const isMade = made?.metadata.name === secret
    return [name, isMade ? made.stringData?.[key] : SECRETS[name]] as const
  })
  return {
    ...Object.fromEntries(variables),
    // The kubelet sets these.
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_SERVICE_PORT: '443',
  }
}
