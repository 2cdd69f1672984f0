import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  createServiceTokenSource,
  createTokenVerifier,
  discoverIssuers,
  parseIssuers,
} from '@slipway/shared/auth'
import { createLogger } from '@slipway/shared/logger'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { KubernetesClient } from '../src/kubernetes/client.ts'
import { openCluster } from '../src/kubernetes/cluster-access.ts'
import { requireEnv } from './support/deployer.ts'

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const DEPLOYER = `identity-deployer-${process.pid}`
const STRANGER = `identity-stranger-${process.pid}`
const AUDIENCE = 'slipway'

let cluster: KubernetesClient
let directory: string

beforeAll(async () => {
  cluster = new KubernetesClient(await openCluster(requireEnv('KUBECONFIG')), 10_000)
  for (const name of [DEPLOYER, STRANGER])
    await cluster.send({ method: 'POST', path: ACCOUNTS, body: { metadata: { name } } })
  directory = await mkdtemp(join(tmpdir(), 'slipway-identity-'))
  await writeFile(join(directory, 'ca.crt'), (await clusterEntry()).ca)
})
afterAll(async () => {
  for (const name of [DEPLOYER, STRANGER])
    await cluster.send({ method: 'DELETE', path: `${ACCOUNTS}/${name}` })
  cluster[Symbol.dispose]()
  await rm(directory, { recursive: true, force: true })
})

/** A token as in a projected volume; without an audience it is for the API server. */
async function tokenOf(name: string, audience?: string): Promise<string> {
  const { body } = await cluster.send<{ status: { token: string } }>({
    method: 'POST',
    path: `${ACCOUNTS}/${name}/token`,
    body: { spec: { expirationSeconds: 600, ...(audience && { audiences: [audience] }) } },
  })
  return body.status.token
}

async function clusterEntry(): Promise<{ url: string; ca: string }> {
  const config = JSON.parse(await readFile(requireEnv('KUBECONFIG'), 'utf8'))
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster
  return { url: server, ca: Buffer.from(ca, 'base64').toString() }
}

async function writeToken(token: string): Promise<void> {
  await writeFile(join(directory, 'token'), token)
}

async function discover({
  patienceMs,
  warnings = [],
}: {
  patienceMs: number
  warnings?: string[]
}) {
  const services = { [`system:serviceaccount:default:${DEPLOYER}`]: 'deployer' }
  const entry = { kind: 'service', kubernetes: true, audience: AUDIENCE, services }
  const apiServer = { url: (await clusterEntry()).url, credentials: directory }
  const sink = { write: (line: string) => void warnings.push(line) }
  const logger = createLogger('test', 'warn', sink)
  return await discoverIssuers(parseIssuers([entry], apiServer), logger, { patienceMs })
}

test('a service is known by the token of its ServiceAccount', async () => {
  await writeToken(await tokenOf(DEPLOYER))
  const verifier = createTokenVerifier(await discover({ patienceMs: 0 }))
  const file = join(directory, 'own-token')
  await writeFile(file, await tokenOf(DEPLOYER, AUDIENCE))
  const ownToken = createServiceTokenSource({ kind: 'file', path: file })
  expect(await verifier.verify(await ownToken())).toMatchObject({
    kind: 'service',
    name: 'deployer',
  })
})

test('a token for another audience, or of another ServiceAccount, is refused', async () => {
  await writeToken(await tokenOf(DEPLOYER))
  const verifier = createTokenVerifier(await discover({ patienceMs: 0 }))
  const refused = [tokenOf(DEPLOYER), tokenOf(DEPLOYER, 'another'), tokenOf(STRANGER, AUDIENCE)]
  for (const token of refused)
    await expect(verifier.verify(await token)).rejects.toThrow('the access token is not valid')
})

test('discovery is retried with the token that is there by then', async () => {
  await writeToken('expired')
  const warnings: string[] = []
  const issuers = discover({ patienceMs: 60_000, warnings })
  await expect.poll(() => warnings).toHaveLength(1)
  await writeToken(await tokenOf(DEPLOYER))
  expect(await issuers).toMatchObject([{ kind: 'service', audience: AUDIENCE }])
  expect(warnings[0]).toContain('issuer_discovery_failed')
})

test('a failure names the URL and the remedy', async () => {
  await writeToken('expired')
  const { url } = await clusterEntry()
  const parts = [
    "AUTH_ISSUERS: the issuer of ServiceAccount tokens can't be read",
    `${url}/.well-known/openid-configuration responded with 401`,
    'the token must be for the audience of the API server',
  ]
  await expect(discover({ patienceMs: 0 })).rejects.toThrow(parts.join(': '))
  await rm(join(directory, 'token'))
  await expect(discover({ patienceMs: 0 })).rejects.toThrow('mount a projected volume')
})
