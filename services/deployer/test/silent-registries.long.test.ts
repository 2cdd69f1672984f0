import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { startTestDeployer } from './support/deployer.ts'
import { pushImage, registryAddress } from './support/registry.ts'

const specOf = (name: string, image: string) =>
  `spec: astro/v1\nname: ${name}\nagent: {image: "${image}"}\n`

test('registries that never respond do not delay the digests of other users', async () => {
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  await using deployer = await startTestDeployer({
    INTERNAL_REGISTRIES: `${registryAddress()},${address}`,
  })
  const attacker = await deployer.signIn('attacker')
  const tools = Array.from(
    { length: 20 },
    (_, index) => `  t${index}: {container: {image: "${address}/x:${index}"}}\n`,
  )
  const attacks = [1, 2, 3].map(async (number) => {
    const agent = agentOf(deployer, attacker, `attack-${number}`)
    const name = `attack-${number}`
    await agent.register('b1', `${specOf(name, `${address}/x:a`)}tools:\n${tools.join('')}`)
    return await agent.deploy({})
  })
  await once(silent, 'request')

  const name = 'digests/bystander'
  const image = `${registryAddress()}/${name}:1`
  const digest = await pushImage(name, '1', 'bystander')
  const bystander = agentOf(deployer, await deployer.signIn('bystander'), 'served')
  await bystander.register('b1', specOf('served', image))
  expect(await bystander.deploy({})).toMatchObject({
    images: { agent: `${image}@${digest}` },
    warnings: [],
  })
  for (const { warnings } of await Promise.all(attacks)) expect(warnings).toHaveLength(21)
  silent.closeAllConnections()
  silent.close()
}, 180_000)
