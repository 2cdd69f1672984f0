import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCredentials } from './credentials.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'slipway-credentials-'))
})
afterEach(async () => await rm(home, { recursive: true }))

async function file(path: string, value: unknown): Promise<void> {
  const target = join(home, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, typeof value === 'string' ? value : JSON.stringify(value))
}

function auths(...logins: readonly (readonly [server: string, user: string])[]) {
  const entries = logins.map(([server, user]) => [
    server,
    { auth: Buffer.from(`${user}:of ${user}`).toString('base64') },
  ])
  return { auths: Object.fromEntries(entries) as Record<string, unknown> }
}

async function userFor(host: string, repository = 'team/memo', environment = {}) {
  const found = await findCredentials(host, repository, { HOME: home, ...environment })
  return found?.kind === 'password' ? found.user : found
}

test('finds the login of docker, under any spelling of the server', async () => {
  await file('.docker/config.json', auths(['https://a.example/v2/', 'a'], ['b.example:5000', 'b']))
  expect(await userFor('a.example')).toBe('a')
  expect(await userFor('b.example:5000')).toBe('b')
  expect(await userFor('b.example')).toBeUndefined()
  await file('.docker/config.json', auths(['https://C.example:443', 'c'], ['docker.io', 'hub']))
  expect(await userFor('c.example')).toBe('c')
  expect(await userFor('c.example:8443')).toBeUndefined()
  expect(await userFor('registry-1.docker.io')).toBe('hub')
})

test('finds the login of Docker Hub under its old address', async () => {
  await file('.docker/config.json', auths(['https://index.docker.io/v1/', 'hub']))
  expect(await userFor('registry-1.docker.io', 'library/node')).toBe('hub')
})

test('prefers the longest path of containers’ auth.json', async () => {
  const logins = auths(['r.example', 'all'], ['r.example/team', 'team'])
  await file('.config/containers/auth.json', logins)
  expect(await userFor('r.example', 'team/memo')).toBe('team')
  expect(await userFor('r.example', 'teams/memo')).toBe('all')
})

test('reads DOCKER_AUTH_CONFIG, then DOCKER_CONFIG, then REGISTRY_AUTH_FILE', async () => {
  await file('docker/config.json', auths(['r.example', 'docker']))
  await file('auth.json', auths(['r.example', 'podman'], ['other.example', 'podman']))
  const inline = { DOCKER_AUTH_CONFIG: JSON.stringify(auths(['r.example', 'ci'])) }
  const files = {
    DOCKER_CONFIG: join(home, 'docker'),
    REGISTRY_AUTH_FILE: join(home, 'auth.json'),
  }
  expect(await userFor('r.example', 'a', { ...files, ...inline })).toBe('ci')
  expect(await userFor('r.example', 'a', files)).toBe('docker')
  expect(await userFor('other.example', 'a', files)).toBe('podman')
})

test('keeps colons of a password', async () => {
  const auth = Buffer.from('robot:a:b').toString('base64')
  await file('.docker/config.json', { auths: { 'r.example': { auth } } })
  expect(await findCredentials('r.example', 'a', { HOME: home })).toEqual({
    kind: 'password',
    user: 'robot',
    password: 'a:b',
    source: join(home, '.docker/config.json'),
  })
})

test('finds nothing without files, and names a file that is not JSON', async () => {
  expect(await userFor('r.example')).toBeUndefined()
  await file('.docker/config.json', '{"auths": {"r.example": {"auth": "c2VjcmV0"')
  await expect(userFor('r.example')).rejects.toThrow('.docker/config.json, which has registry')
})
