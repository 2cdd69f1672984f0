import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provideVolumes } from '../kubernetes/agent/volumes.ts'
import type { Claim, Volume } from '../kubernetes/agent/volume-objects.ts'
import { startTemporaryControlPlane } from '../kubernetes/control-plane/temporary-control-plane.ts'
import type { TemporaryControlPlane } from '../kubernetes/control-plane/temporary-control-plane.ts'

const root = mkdtempSync(join(tmpdir(), 'slipway-volumes-'))
const stop = new AbortController()
let plane: TemporaryControlPlane
let running: Promise<void>

beforeAll(async () => {
  plane = await startTemporaryControlPlane()
  running = provideVolumes(plane.client, root, stop.signal)
})
afterAll(async () => {
  stop.abort()
  await running
  await plane[Symbol.asyncDispose]()
  rmSync(root, { recursive: true })
})

const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
const claimNamed = (name: string, more: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
})

async function boundVolume(name: string): Promise<string> {
  const volumeOf = async () => {
    const claim = (await plane.client.call('GET', `${claims}/${name}`)) as Claim & {
      status: { phase: string }
    }
    return claim.status.phase === 'Bound' ? claim.spec.volumeName : undefined
  }
  await expect.poll(volumeOf).toBeDefined()
  return (await volumeOf()) ?? ''
}

test('creates a directory that any user may write to, and deletes it with its claim', async () => {
  await plane.client.call('POST', claims, claimNamed('data'))
  const volume = await boundVolume('data')
  const directory = join(root, volume)
  expect(statSync(directory).mode & 0o777).toBe(0o777)
  writeFileSync(join(directory, 'file'), 'content')

  await plane.client.call('DELETE', `${claims}/data`)
  await expect.poll(() => existsSync(directory)).toBe(false)
  const volumes = async () => {
    const { items } = (await plane.client.call('GET', '/api/v1/persistentvolumes')) as {
      items: Volume[]
    }
    return items.map(({ metadata }) => metadata.name)
  }
  await expect.poll(volumes).not.toContain(volume)
})

test('creates a volume for each of many concurrent claims', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `many-${index}`)
  await Promise.all(
    names.map(async (name) => await plane.client.call('POST', claims, claimNamed(name))),
  )
  const volumes = await Promise.all(names.map(boundVolume))
  expect(new Set(volumes).size).toBe(names.length)
  expect(readdirSync(root).toSorted()).toEqual(volumes.toSorted())
  await Promise.all(
    names.map(async (name) => await plane.client.call('DELETE', `${claims}/${name}`)),
  )
  await expect.poll(() => readdirSync(root)).toEqual([])
})

test('ignores a claim of another class', async () => {
  await plane.client.call('POST', claims, claimNamed('other', { storageClassName: 'unknown' }))
  await plane.client.call('POST', claims, claimNamed('later'))
  // The later claim has a volume, so the earlier one has been seen and ignored.
  const volume = await boundVolume('later')
  expect(readdirSync(root)).toEqual([volume])
})
