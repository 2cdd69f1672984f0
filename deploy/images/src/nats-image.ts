import {
  applicationComponent,
  assembleImage,
  directoryEntry,
  fileEntry,
  hostFileEntry,
  LayerCache,
  sbom,
  SBOM_PATH,
  type Image,
} from '@slipway/agent-image/parts'
import { goComponents } from './go-modules.ts'
import { imageLabels, readRelease } from './labels.ts'
import { PLATFORM_USER } from './service-image.ts'

/** A program in Go listens at addresses of IPv6 as well where it is given `0.0.0.0`. */
const CONFIGURATION = `listen: "0.0.0.0:4222"
http: "0.0.0.0:8222"
jetstream {
  store_dir: "/data"
  max_memory_store: 64MB
  max_file_store: 2GB
}
`

/** The NATS server's binary, and the go.mod from which it was built. */
export interface NatsProgram {
  readonly program: string
  readonly goMod: string
}

/**
 * Builds an image of a single NATS server with JetStream, for installs that aren't for production.
 * The binary is static, so the image has nothing else. Its data is in /data.
 */
export async function buildNatsImage(
  checkout: string,
  { program, goMod }: NatsProgram,
  options: { cacheDirectory?: string } = {},
): Promise<Image> {
  const cache = new LayerCache(options.cacheDirectory)
  const release = await readRelease(checkout)
  const subject = applicationComponent('nats', release.version)
  const layer = await cache.layer([
    await hostFileEntry('usr/local/bin/nats-server', program),
    fileEntry('etc/nats/nats.conf', CONFIGURATION),
    fileEntry('etc/passwd', 'root:x:0:0:root:/:\napp:x:1000:1000:app:/:\n'),
    directoryEntry('tmp', { mode: 0o1777 }),
    directoryEntry('data', { uid: 1000, gid: 1000 }),
    fileEntry(SBOM_PATH, sbom(subject, goComponents(goMod))),
  ])
  return assembleImage([layer], {
    entrypoint: ['/usr/local/bin/nats-server'],
    command: ['--config', '/etc/nats/nats.conf'],
    user: PLATFORM_USER,
    ports: [4222, 8222],
    labels: imageLabels(release, {
      title: 'slipway/nats',
      description: 'A NATS server for trying Slipway in a cluster; not for production',
    }),
  })
}
