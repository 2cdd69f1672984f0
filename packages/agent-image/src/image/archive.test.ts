import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeImageArchive } from './archive.ts'
import { fileEntry } from './entries.ts'
import { LayerCache } from './layer-cache.ts'
import { assembleImage, digestOf } from './oci.ts'
import { readTar } from './tar.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('writes an OCI layout in which every digest is correct', async () => {
  const layer = await new LayerCache(join(folder, 'cache')).layer([
    fileEntry('pause', 'binary', { executable: true }),
  ])
  // The same layer twice: an archive may hold a blob only once.
  const image = assembleImage([layer, layer], { entrypoint: ['/pause'], user: '1000', ports: [80] })
  const path = join(folder, 'pause.tar')
  await writeImageArchive(path, image, 'localhost/pause:1')

  const entries = await readTar(createReadStream(path), () => true)
  const contents = new Map(
    entries.flatMap((entry) =>
      entry.type === 'file' && Buffer.isBuffer(entry.content)
        ? [[entry.path, entry.content] as const]
        : [],
    ),
  )
  const json = (name: string) =>
    JSON.parse(contents.get(name)?.toString() ?? 'null') as Record<string, never>
  const blobs = [...contents].filter(([name]) => name.startsWith('blobs/'))
  expect(blobs.map(([name]) => name)).toEqual(
    blobs.map(([, bytes]) => `blobs/${digestOf(bytes).replace(':', '/')}`),
  )
  expect(blobs).toHaveLength(3)
  expect(json('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' })
  expect(json('index.json')).toMatchObject({
    manifests: [
      {
        digest: image.manifest.digest,
        platform: image.platform,
        annotations: {
          'io.containerd.image.name': 'localhost/pause:1',
          'org.opencontainers.image.ref.name': '1',
        },
      },
    ],
  })
  expect(json(`blobs/${image.config.digest.replace(':', '/')}`)).toMatchObject({
    os: 'linux',
    config: { Entrypoint: ['/pause'], User: '1000', ExposedPorts: { '80/tcp': {} } },
    rootfs: { diff_ids: [layer.diffId, layer.diffId] },
    history: [{ created_by: 'slipway' }, { created_by: 'slipway' }],
  })
  expect((await readdir(folder)).toSorted()).toEqual(['cache', 'pause.tar'])
})
