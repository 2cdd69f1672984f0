import type { BuiltAgent, BuiltImage } from '../build-agent.ts'
import { LayerCache } from '../image/layer-cache.ts'
import { imagesOf, type Descriptor } from '../image/oci.ts'
import { pushReferrer, type Referrer } from '../registry/push-referrer.ts'
import { RepositoryClient, type RegistryAccess } from '../registry/registry-client.ts'
import { RegistryError } from '../registry/registry-error.ts'
import { parseRegistry } from '../registry/registry-location.ts'
import { imageSbom } from './image-sbom.ts'
import { provenance, PROVENANCE, readMaterials, type Materials } from './provenance.ts'

const SBOM_TYPE = 'application/vnd.cyclonedx+json'
const STATEMENT_TYPE = 'application/vnd.in-toto+json'

/** What is attached to images. */
export interface AttestOptions {
  /** The agent's folder. */
  readonly directory: string
  /** The version of Slipway that builds. */
  readonly version?: string | undefined
  /** Directory that keeps layers between runs. Default: `defaultCacheDirectory()`. */
  readonly cacheDirectory?: string | undefined
}

/** A document that was attached to an image. */
export interface Attestation {
  readonly kind: 'sbom' | 'provenance'
  /** The image that it is about; for an index, also those of platforms. */
  readonly subject: string
  /** The digest of its manifest. */
  readonly digest: string
}

/**
 * Attaches what each image contains, and what it was made from, to the pushed images of an agent.
 * A registry that takes neither gets a warning: the images are there, and run without them.
 */
export async function attachAttestations(
  { registry, images }: BuiltAgent,
  { directory, version, cacheDirectory }: AttestOptions,
  access: RegistryAccess,
): Promise<Map<string, readonly Attestation[]>> {
  const { origin, path, prefix } = parseRegistry(registry, access.insecure)
  const cache = new LayerCache(cacheDirectory)
  const materials = await readMaterials(directory, access.signal)
  const attached = new Map<string, readonly Attestation[]>()
  for (const built of images) {
    const repository = built.reference.slice(prefix.length).replace(/:[^:/]+$/, '')
    const client = new RepositoryClient(origin, `${path}${repository}`, 'pull,push', access)
    try {
      attached.set(built.reference, await attach(client, built, { materials, version, cache }))
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      access.onWarning?.(
        `the registry doesn't take the SBOM and the provenance of ${built.reference}, which is ` +
          `pushed without them: ${error.message}`,
      )
    }
  }
  return attached
}

interface Facts {
  readonly materials: Materials
  readonly version: string | undefined
  readonly cache: LayerCache
}

async function attach(
  client: RepositoryClient,
  built: BuiltImage,
  { materials, version, cache }: Facts,
): Promise<Attestation[]> {
  const attached: Attestation[] = []
  const push = async (
    kind: Attestation['kind'],
    subject: Descriptor,
    referrer: Referrer,
  ): Promise<void> => {
    const digest = await pushReferrer(client, subject, referrer)
    attached.push({ kind, subject: subject.digest, digest })
  }
  for (const image of imagesOf(built.image)) {
    const name = built.reference.replace(/:[^:/]+$/, '')
    await push('sbom', image.manifest, {
      type: SBOM_TYPE,
      bytes: Buffer.from(await imageSbom(name, image, cache)),
      annotations: { 'org.opencontainers.image.title': 'sbom.cdx.json' },
    })
  }
  await push('provenance', built.image.manifest, {
    type: STATEMENT_TYPE,
    bytes: Buffer.from(provenance(built, materials, version)),
    annotations: {
      'org.opencontainers.image.title': 'provenance.json',
      'in-toto.io/predicate-type': PROVENANCE,
    },
  })
  return attached
}
