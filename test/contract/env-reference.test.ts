import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { readConfig as readObservabilityConfig } from '@slipway/observability/config'
import { expect, test } from 'vitest'

/** Settings with which a service reads additional variables. */
const REVEALING: readonly Record<string, string>[] = [
  {},
  {
    SERVICE_TOKEN_FILE: 'x',
    SIGN_IN_CLIENT_ID: 'x',
    SESSION_KEY_FORMER: 'x',
    CLICKHOUSE_URL: 'none',
    MESSAGING_IMAGE: 'x',
    PROVIDER_OVERRIDES: '{}',
  },
]

/** The names of all variables that a service reads. */
function variablesOf(
  readConfig: (env: Record<string, string | undefined>) => unknown,
): Set<string> {
  const names = new Set<string>()
  for (const env of REVEALING) {
    const recorder = new Proxy(env, {
      get(target, name) {
        names.add(String(name))
        return Reflect.get(target, name) as string | undefined
      },
    })
    // An incomplete configuration is rejected, after all variables were read.
    expect(() => readConfig(recorder)).toThrow('the configuration is not valid')
  }
  return names
}

test('docs/reference/env.md lists exactly the variables that the services read', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/reference/env.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const described = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  const read = [
    readCatalogConfig,
    readDeployerConfig,
    readGatewayConfig,
    readObservabilityConfig,
  ].map(variablesOf)
  const all = read.reduce((names, more) => names.union(more))
  expect(new Set(described)).toEqual(all)
})
