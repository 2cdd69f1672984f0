import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { secretFiles } from './support/mounted-files.ts'
import { podsOf } from './support/objects.ts'
import { example, RELEASE, render, SHAPES } from './support/render.ts'
import { environmentOf, SERVICES, type ReadConfig } from './support/service-settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'slipway-chart-'))
const files = await secretFiles(join(directory, 'certificates'))
afterAll(() => rmSync(directory, { recursive: true }))

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
        const environment = environmentOf(objects, { pod, container }, { directory, files })
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
  const sets = [
    'agents.storageClassName=fast',
    'agents.providerOverrides.redis.image=example.com/redis:8',
  ]
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
