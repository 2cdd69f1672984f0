import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, type Seen } from './support/agents.ts'
import { startTestDeployer, type TestDeployer } from './support/deployer.ts'

const SPEC = `spec: astro/v1
name: certified
agent: {image: registry.example/certified:1}
ingestion:
  hook: {container: {image: registry.example/hook:1, port: 8090}, trigger: {type: webhook}}
`

let directory: string
let env: Record<string, string>
let deployer: TestDeployer
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-certificate-'))
  env = await certificate('first')
  deployer = await startTestDeployer({ INGRESS_DOMAIN: 'slipway.localhost', ...env })
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

/** Writes a certificate file and a key file, with any text, and returns their settings. */
async function certificate(name: string): Promise<Record<string, string>> {
  const files = {
    INGRESS_TLS_CERT_FILE: join(directory, `${name}.crt`),
    INGRESS_TLS_KEY_FILE: join(directory, `${name}.key`),
  }
  for (const path of Object.values(files))
    await writeFile(path, `content of ${path.slice(directory.length + 1)}`)
  return files
}

test('the Ingress uses the operator’s certificate, which a later deploy renews', async () => {
  const owner = await deployer.signIn('owner')
  const agent = agentOf(deployer, owner, 'certified')
  await agent.register('b1', SPEC)
  const { k8sNamespace: namespace } = await agent.deploy({})
  const served = async () => {
    const [ingress] = await agent.list('Ingress', namespace)
    const tls = (ingress?.spec?.['tls'] as { secretName: string }[] | undefined)?.[0]
    const secrets = (await agent.list('Secret', namespace)).filter(
      (each: Seen & { type?: string }) => each.type?.endsWith('/tls'),
    )
    expect(secrets.map(({ metadata }) => metadata.name)).toEqual([tls?.secretName])
    return Object.values(secrets[0]?.data ?? {}).map((value) =>
      Buffer.from(value, 'base64').toString(),
    )
  }
  expect(await served()).toEqual(['content of first.crt', 'content of first.key'])

  const renewed = await deployer.startReplica({}, await certificate('second'))
  const { deployments } = deployer.clientsOf(renewed)
  const { result } = await deployments.deploy(
    { target: { account: owner.account, name: agent.name } },
    owner.options,
  )
  expect(result).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
  expect(await served()).toEqual(['content of second.crt', 'content of second.key'])
})
