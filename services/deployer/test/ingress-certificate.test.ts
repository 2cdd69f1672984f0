import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { testAuthority, type TestAuthority } from '@slipway/testing'
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
let authority: TestAuthority
let deployer: TestDeployer
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-certificate-'))
  authority = await testAuthority()
  await writeFile(files().INGRESS_TLS_CERT_FILE, 'damaged')
  deployer = await startTestDeployer({ INGRESS_DOMAIN: 'slipway.localhost', ...files() })
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await authority[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const files = () => ({
  INGRESS_TLS_CERT_FILE: join(directory, 'tls.crt'),
  INGRESS_TLS_KEY_FILE: join(directory, 'tls.key'),
})

/** Puts another certificate and its key into the files, and returns them. */
async function renew(name: string): Promise<string[]> {
  const { chain, key } = await authority.issue(name)
  await writeFile(files().INGRESS_TLS_CERT_FILE, chain)
  await writeFile(files().INGRESS_TLS_KEY_FILE, key)
  return [chain, key]
}

async function failingChecks(): Promise<readonly string[]> {
  const response = await fetch(`http://${deployer.process.opsAddress}/readyz`)
  return ((await response.json()) as { failing?: readonly string[] }).failing ?? []
}

test('Ingresses use the operator’s certificate, which a later deploy renews', async () => {
  const owner = await deployer.signIn('owner')
  const agent = agentOf(deployer, owner, 'certified')
  await agent.register('b1', SPEC)
  const deploy = () => agent.deploy({})
  // The deployer has started without a valid one.
  await expect(deploy()).rejects.toThrow('certificate for exposed components is not valid')
  expect(await failingChecks()).toContain('ingress_certificate')

  const first = await renew('first')
  // Checks are not made again for each request.
  await expect.poll(failingChecks).not.toContain('ingress_certificate')
  const { k8sNamespace: namespace } = await deploy()
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
  expect(await served()).toEqual(first)

  const second = await renew('second')
  expect(await deploy()).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
  expect(await served()).toEqual(second)

  await writeFile(files().INGRESS_TLS_KEY_FILE, 'damaged')
  expect(await deploy()).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
  expect(await served()).toEqual(second)
})
