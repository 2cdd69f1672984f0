import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { readConfig as readObservabilityConfig } from '@slipway/observability/config'
import { readMigrateConfig } from '@slipway/observability/migrate-command'
import { parseConfig } from '@slipway/shared/config'
import { readDatabaseUrl } from '@slipway/shared/db'
import { afterAll, describe, expect, test } from 'vitest'

import { mountFiles, secretFiles } from './support/mounted-files.ts'
import { podsOf, type ChartObject, type Container, type Pod } from './support/objects.ts'
import { example, RELEASE, render, SHAPES } from './support/render.ts'

type Environment = Record<string, string | undefined>

type ReadConfig = (env: Environment) => unknown

const readDatabaseConfig: ReadConfig = (env) =>
  parseConfig(env, (reader) => ({ url: readDatabaseUrl(reader) }))

/** How each service reads its settings, and how its `migrate` does. */
const SERVICES = [
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

const directory = mkdtempSync(join(tmpdir(), 'slipway-chart-'))
const files = await secretFiles(join(directory, 'certificates'))
afterAll(() => rmSync(directory, { recursive: true }))

/** The variables of a container, with the values of Secrets and the paths of mounted files. */
function environmentOf(
  objects: readonly ChartObject[],
  pod: Pod,
  container: Container,
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

describe.each(SHAPES)('with the values of %s', (name) => {
  test.each(SERVICES)(
    'the $service accepts its settings and knows all of them',
    async ({ service, readConfig, readMigration }) => {
      const objects = await render([example(name)])
      const pod = podsOf(objects, RELEASE.namespace).find(({ component }) => component === service)
      if (pod === undefined) throw new Error(`there is no pod of ${service}`)
      for (const container of [...pod.initContainers, ...pod.containers]) {
        const isMigration = container.name === 'migrate'
        const read: ReadConfig = (isMigration && readMigration) || readConfig
        const environment = environmentOf(objects, pod, container)
        const known = new Set<string>()
        const recorder = new Proxy(environment, {
          get(target, variable) {
            known.add(String(variable))
            return Reflect.get(target, variable) as string | undefined
          },
        })
        read(recorder)
        // `env` of the values is for both containers.
        if (isMigration) known.add('LOG_LEVEL')
        const unknown = (container.env ?? []).filter((variable) => !known.has(variable.name))
        expect(unknown).toEqual([])
      }
    },
  )
})

const SHARED = ['MESSAGING_IMAGE', 'MESSAGING_ADAPTERS', 'PROVIDER_OVERRIDES', 'STORAGE_CLASS']

test('the catalog has the settings that must be the same as the deployer’s', async () => {
  const sets = ['agents.storageClassName=fast', 'agents.providerOverrides.openai.host=example.com']
  const pods = podsOf(await render([example('one-node')], sets), RELEASE.namespace)
  const settings = (service: string) =>
    pods
      .find(({ component }) => component === service)
      ?.containers.flatMap(({ env }) => env ?? [])
      .filter((variable) => SHARED.includes(variable.name))
  expect(settings('catalog')).toEqual(settings('deployer'))
  expect(
    settings('catalog')
      ?.map((variable) => variable.name)
      .toSorted(),
  ).toEqual(SHARED.toSorted())
})
