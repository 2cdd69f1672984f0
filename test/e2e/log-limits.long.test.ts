import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { callService, readyPods } from '../support/cluster.ts'
import {
  deployerKubeconfigVia,
  startDeployerAndGateway,
  type DeployerAndGateway,
} from '../support/deployer-and-gateway.ts'
import { fromStack } from '../support/environment.ts'
import { meteredLine } from '../support/metered-line.ts'

const NAME = 'log-writer'
const LINE = 4096
const MIB = 1024 * 1024

let directory: string
let image: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-log-writer-'))
  const folder = join(directory, NAME)
  await mkdir(join(folder, 'src'), { recursive: true })
  await copyFile(
    new URL('../support/programs/log-writer.ts', import.meta.url),
    join(folder, 'src/main.ts'),
  )
  const manifest = { name: NAME, type: 'module', bin: { agent: './src/main.ts' }, files: ['src'] }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  image = (await buildAgentImage(folder, { registry: fromStack('SLIPWAY_REGISTRY') })).reference
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

/** A running agent that writes to its log on demand. */
interface LogWriter extends AsyncDisposable {
  write(bytes: number): Promise<unknown>
  readLog(query: string, as?: string): Promise<Response>
}

async function deployLogWriter(system: DeployerAndGateway): Promise<LogWriter> {
  const account = await system.accountOf('reader')
  const program = `{image: "${image}", port: 8080, healthcheck: {path: /}}`
  const spec = `spec: astro/v1\nname: ${NAME}\nagent: ${program}\n`
  const build = { build_id: 'b1', registry: 'oci://registry.example', spec_content: spec }
  await system.send('reader', 'POST', `/agents/${account}/${NAME}/register`, build)
  const target = { account, name: NAME }
  const undeploy = async () => void (await system.send('reader', 'POST', '/undeploy', target))
  try {
    const deployed = await system.send('reader', 'POST', '/deploy?wait=90', target)
    const text = await deployed.text()
    if (deployed.status !== 200) throw new Error(`deploy returned ${deployed.status}: ${text}`)
    const { k8s_namespace: namespace } = JSON.parse(text) as { k8s_namespace: string }
    const pod = await waitFor(async () => (await readyPods(namespace))[0]?.metadata.name, {
      what: 'a pod',
    })
    return {
      write: async (bytes) =>
        await callService(namespace, `${NAME}-agent`, 8080, `/?lines=${bytes / LINE}`),
      readLog: async (query, as = 'reader') =>
        await system.send(
          as,
          'GET',
          `/deployments/${namespace}/logs?account=${account}&pod=${pod}&${query}`,
        ),
      [Symbol.asyncDispose]: undeploy,
    }
  } catch (error) {
    await undeploy()
    throw error
  }
}

/** Makes a user a member of the reader's account. */
async function addMember(system: DeployerAndGateway, person: string): Promise<void> {
  const me = await system.send(person, 'GET', '/me')
  const { user } = (await me.json()) as { user: { id: string } }
  const path = `/accounts/${await system.accountOf('reader')}/members/${user.id}`
  const { status } = await system.send('reader', 'PUT', path, { role: 'member' })
  if (status !== 200) throw new Error(`the member was not added: ${status}`)
}

test('truncates a log, followed or not, and delays only the user who reads too much', async () => {
  const limit = 64 * 1024
  await using system = await startDeployerAndGateway({
    MAX_LOG_BYTES: String(limit),
    MAX_LOG_BYTES_PER_SECOND: '1024',
  })
  await using agent = await deployLogWriter(system)
  await addMember(system, 'friend')
  await agent.write(4 * limit)
  const readAll = async (query: string, as: string) =>
    await waitFor(
      async () => {
        const response = await agent.readLog(query, as)
        const bytes = await response.bytes()
        return bytes.length >= limit && [response.status, bytes.length]
      },
      { what: 'the whole log' },
    )
  expect(await readAll('tailLines=5000', 'reader')).toEqual([200, limit])
  const excess = await agent.readLog('tailLines=5000')
  const winner = await Promise.race([
    excess.bytes().then(() => 'the excess'),
    readAll('tailLines=5000&follow=true', 'friend'),
  ])
  expect(winner).toEqual([200, limit])
})

test('passes backpressure from a slow reader on to the kubelet', async () => {
  const kubeconfig = join(directory, 'deployer.kubeconfig')
  await using line = await meteredLine(await deployerKubeconfigVia(kubeconfig))
  await deployerKubeconfigVia(kubeconfig, line.url)
  await using system = await startDeployerAndGateway({
    KUBECONFIG: kubeconfig,
    MAX_LOG_BYTES: String(256 * MIB),
  })
  await using agent = await deployLogWriter(system)
  const response = await agent.readLog('follow=true&tailLines=1')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const before = line.received
  for (let written = 0; written < 64; written += 4) await agent.write(4 * MIB)
  // Everything is written. The bytes in flight stop growing when the buffers of all connections in
  // between are full.
  let inFlight = -1
  await waitFor(() => inFlight === (inFlight = line.received - before), {
    what: 'the transfer to pause',
    intervalMs: 2_000,
  })
  expect(inFlight).toBeLessThan(48 * MIB)
  // Reading makes room, so that more arrives than was in flight.
  let read = 0
  while (read <= inFlight) {
    const { value, done } = await reader.read()
    expect(done).toBe(false)
    read += value?.length ?? 0
  }
  await reader.cancel()
})
