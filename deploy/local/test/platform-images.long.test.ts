import { createServer, request, type Server } from 'node:http'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLATFORM_IMAGES } from '../install/platform-images.ts'
import { createApiClient } from '../kubernetes/client.ts'
import { tryCommand } from '../process/run-command.ts'
import { ImagePods } from './support/image-pods.ts'

// The platform's images, pushed to a registry with a password, and started as an
// operator would: in a namespace with Pod Security `restricted`.

const registry = process.env['SLIPWAY_REGISTRY'] ?? ''
const kubeconfig = process.env['KUBECONFIG'] ?? ''
if (registry === '' || kubeconfig === '') throw new Error('not set up: run through ./dev test')

const STARTED = ['gateway', 'identity-provider', 'nats', 'postgres'] as const
const credentials = Buffer.from('operator:correct horse').toString('base64')
let folder: string
let guarded: Server
let address: string
let pushed: string[]

/** Runs `./dev images` with the docker configuration in one of the test's folders. */
async function images(configuration: string, ...args: readonly string[]) {
  const command = [
    process.execPath,
    join(import.meta.dirname, '../../../tools/main.ts'),
    'images',
    ...args,
  ]
  return await tryCommand('env', [`DOCKER_CONFIG=${join(folder, configuration)}`, ...command])
}

/** Serves the stack's registry to those who have the password. */
async function guardRegistry(): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const { method, url, headers } = incoming
    if (headers.authorization !== `Basic ${credentials}`) {
      answer.writeHead(401, { 'www-authenticate': 'Basic realm="images"' }).end()
      return
    }
    const forwarded = request(`http://${registry}${url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-platform-images-'))
  guarded = await guardRegistry()
  address = `127.0.0.1:${(guarded.address() as AddressInfo).port}`
  await mkdir(join(folder, 'docker'))
  const configuration = JSON.stringify({ auths: { [address]: { auth: credentials } } })
  await writeFile(join(folder, 'docker/config.json'), configuration)
  const { output, errors } = await images('docker', 'push', address, ...STARTED)
  pushed = output.trim().split('\n')
  if (pushed.length !== STARTED.length) throw new Error(errors)
})

afterAll(async () => {
  guarded.close()
  await rm(folder, { recursive: true })
})

describe('./dev images', () => {
  test('lists all images, with the digests that it pushes', async () => {
    const { output } = await images('docker', 'list', `${address}/`)
    const listed = output.trim().split('\n')
    expect(listed).toHaveLength(PLATFORM_IMAGES.length)
    expect(listed).toEqual(expect.arrayContaining(pushed))
  })

  test('pushes nothing without the credentials of docker', async () => {
    const refused = await images('.', 'push', address, 'nats')
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(refused.errors).toContain('the registry returned 401; there are no credentials for it')
  })

  test('says what is wrong with a command line', async () => {
    expect(await images('.')).toMatchObject({ code: 2 })
    expect((await images('.', 'push', 'http://localhost')).errors).toContain('without http://')
    expect((await images('.', 'push', address, 'redis')).errors).toContain('redis is not an image')
  })
})

describe('in a restricted namespace', () => {
  test('the images run without root and with a read-only root file system', async () => {
    await using pods = await ImagePods.open(createApiClient(kubeconfig))
    const start = async (name: (typeof STARTED)[number], variables: Record<string, string>) => {
      const image = pushed.find((each) => each.includes(`/slipway/${name}@`)) ?? ''
      await pods.start(name, image.replace(address, registry), variables)
    }
    const nowhere = '127.0.0.1:1'
    await Promise.all([
      start('gateway', {
        AUTH_ISSUERS: JSON.stringify([{ issuer: `http://${nowhere}`, kind: 'user' }]),
        CATALOG_ADDRESS: nowhere,
        DEPLOYER_ADDRESS: nowhere,
        OBSERVABILITY_ADDRESS: nowhere,
        NATS_URL: `nats://${nowhere}`,
        IDEMPOTENCY_KEY_SECRET: '0'.repeat(64),
      }),
      start('identity-provider', { ISSUER: 'http://id.example.test' }),
      start('nats', {}),
      start('postgres', { POSTGRES_PASSWORD: 'for this test' }),
    ])
    expect(await pods.get('gateway', 9110, '/livez')).toEqual({ status: 'ok' })
    const discovery = '/.well-known/openid-configuration'
    expect(await pods.get('identity-provider', 9200, discovery)).toMatchObject({
      issuer: 'http://id.example.test',
    })
    expect(await pods.get('nats', 8222, '/healthz?js-enabled-only=true')).toEqual({ status: 'ok' })
    await expect.poll(() => pods.log('postgres')).toContain('ready to accept connections')
  })
})
