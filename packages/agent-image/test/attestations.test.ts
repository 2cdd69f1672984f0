import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { expect, test } from 'vitest'
import { buildAgent, pushAgent } from '../src/index.ts'
import { assembleImage, fileEntry, imageIndex, LayerCache, pushImage } from '../src/parts.ts'
import { writeAgent } from './support/bases.ts'
import { guardRegistry } from './support/guarded-registry.ts'
import { scratch } from './support/images.ts'

// What images contain, and what they were made from, is attached to them in the registry.

const registry = fromStack('SLIPWAY_REGISTRY')
const platforms = ['linux/amd64', 'linux/arm64'] as const
const INDEX = 'application/vnd.oci.image.index.v1+json'

interface Listed {
  readonly manifests: readonly {
    readonly digest: string
    readonly artifactType: string
    readonly annotations: Readonly<Record<string, string>>
  }[]
}

async function get<Document>(path: string): Promise<Document> {
  const accept = `${INDEX}, application/vnd.oci.image.manifest.v1+json`
  const response = await fetch(`http://${registry}/v2/${path}`, { headers: { accept } })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Document
}

/** Pushes a base with a list of Debian's packages. */
async function pushBase(folder: string, name: string): Promise<string> {
  const cache = new LayerCache(join(folder, 'base'))
  const status = 'Package: libc6\nVersion: 2.41-1\nArchitecture: all\n\n'
  const layer = await cache.layer([
    fileEntry('usr/local/bin/node', '', { executable: true }),
    fileEntry('var/lib/dpkg/status', status),
    fileEntry('usr/lib/os-release', 'VERSION_CODENAME=trixie\n'),
  ])
  const config = { entrypoint: ['node'], user: '0', environment: { NODE_VERSION: '24.1.0' } }
  const images = (['amd64', 'arm64'] as const).map((architecture) =>
    assembleImage([layer], config, { os: 'linux', architecture }),
  )
  await pushImage(registry, name, '1', imageIndex(images))
  return `${registry}/${name}:1`
}

/** An agent with an installed package, and a file of secrets. */
async function project(folder: string): Promise<string> {
  const manifest = { bin: { agent: 'agent.js' }, dependencies: { left: '1' } }
  const agent = await writeAgent(folder, {
    'package.json': JSON.stringify(manifest),
    '.env': 'PASSWORD=not-for-images',
  })
  const module = join(agent, 'node_modules', 'left')
  await mkdir(module, { recursive: true })
  const left = { name: 'left', version: '1.2.3', license: 'MIT' }
  await writeFile(join(module, 'package.json'), JSON.stringify(left))
  return agent
}

test('lists the SBOM and the provenance of an image as its referrers', async () => {
  await using place = await scratch()
  const base = await pushBase(place.folder, 'bases/attested')
  const agent = await project(place.folder)
  const cacheDirectory = join(place.folder, 'cache')
  const built = await buildAgent(agent, { registry, base, platforms, cacheDirectory })
  const attest = { directory: agent, version: '9.9.9', cacheDirectory }
  const [pushed] = await pushAgent(built, { attest })
  const { attestations = [], digest = '' } = { ...pushed }
  expect(attestations.map(({ kind }) => kind)).toEqual(['sbom', 'sbom', 'provenance'])

  const ofIndex = await get<Listed>(`agent/referrers/${digest}`)
  expect(ofIndex.manifests).toMatchObject([
    {
      digest: attestations[2]?.digest,
      annotations: { 'in-toto.io/predicate-type': 'https://slsa.dev/provenance/v1' },
    },
  ])
  // The list of this registry has the type of the configuration in place of that of the document.
  const contentOf = async <Document>(manifest: string, artifactType: string): Promise<Document> => {
    const found = await get<{ layers: { digest: string }[] }>(`agent/manifests/${manifest}`)
    expect(found).toMatchObject({ artifactType, layers: [{ mediaType: artifactType }] })
    return await get<Document>(`agent/blobs/${found.layers[0]?.digest}`)
  }
  const statement = await contentOf<object>(
    attestations[2]?.digest ?? '',
    'application/vnd.in-toto+json',
  )
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `${registry}/agent`, digest: { sha256: digest.slice('sha256:'.length) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        externalParameters: { target: 'agent', builtFrom: 'project', platforms },
        resolvedDependencies: [
          { name: 'sources', digest: { sha256 } },
          { name: 'base', uri: `${registry}/bases/attested:1`, digest: { sha256 } },
        ],
      },
      runDetails: { builder: { version: { slipway: '9.9.9' } } },
    },
  })
  const text = JSON.stringify(statement)
  for (const kept of [place.folder, await realpath(place.folder), 'PASSWORD', 'not-for-images'])
    expect(text).not.toContain(kept)

  for (const [at, { subject }] of attestations.slice(0, 2).entries()) {
    const listed = await get<Listed>(`agent/referrers/${subject}`)
    const own = attestations[at]?.digest ?? ''
    expect(listed.manifests.map(({ digest: each }) => each)).toEqual([own])
    const type = 'application/vnd.cyclonedx+json'
    const sbom = await contentOf<{ components: { purl: string }[] }>(own, type)
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX' })
    expect(sbom.components.map(({ purl }) => purl)).toEqual([
      'pkg:deb/debian/libc6@2.41-1?arch=all&distro=trixie',
      'pkg:npm/left@1.2.3',
    ])
  }
  // The same build attaches the same.
  expect((await pushAgent(built, { attest }))[0]?.attestations).toEqual(attestations)
})

test('names the referrers under a tag in a registry without their list', async () => {
  await using place = await scratch()
  const base = await pushBase(place.folder, 'bases/old-registry')
  const agent = await project(join(place.folder))
  const cacheDirectory = join(place.folder, 'cache')
  await using guarded = await guardRegistry(registry, {
    intercept({ url = '' }, answer) {
      const isList = url.includes('/referrers/')
      if (isList) answer.writeHead(404).end()
      return isList
    },
  })
  const options = { base, platforms: ['linux/amd64'], cacheDirectory } as const
  const built = await buildAgent(agent, { ...options, registry: `${guarded.address}/old` })
  const attest = { directory: agent, cacheDirectory }
  const push = async () => (await pushAgent(built, { attest }))[0]
  const pushed = await push()
  const tag = pushed?.digest.replace(':', '-') ?? ''
  const listed = await get<Listed>(`old/agent/manifests/${tag}`)
  const digests = pushed?.attestations?.map(({ digest }) => digest)
  expect(listed.manifests.map(({ digest }) => digest)).toEqual(digests)
  expect(listed.manifests.map(({ artifactType }) => artifactType)).toEqual([
    'application/vnd.cyclonedx+json',
    'application/vnd.in-toto+json',
  ])
  await push()
  expect(await get(`old/agent/manifests/${tag}`)).toEqual(listed)
})

test('pushes images to a registry that refuses what is attached, with a warning', async () => {
  await using place = await scratch()
  const base = await pushBase(place.folder, 'bases/refusing')
  const agent = await project(place.folder)
  const cacheDirectory = join(place.folder, 'cache')
  await using guarded = await guardRegistry(registry, {
    intercept({ method, url = '' }, answer) {
      // Images are pushed by tag here, and what is attached by digest.
      const isRefused = method === 'PUT' && url.includes('/manifests/sha256:')
      if (isRefused) answer.writeHead(400).end('{"errors":[{"code":"MANIFEST_INVALID"}]}')
      return isRefused
    },
  })
  const options = { base, platforms: ['linux/amd64'], cacheDirectory } as const
  const built = await buildAgent(agent, { ...options, registry: `${guarded.address}/refusing` })
  const warnings: string[] = []
  const [pushed] = await pushAgent(built, {
    attest: { directory: agent, cacheDirectory },
    onWarning: (line) => void warnings.push(line),
  })
  expect(pushed).toMatchObject({ pushed: true, attestations: [] })
  expect(warnings.join()).toContain("doesn't take the SBOM and the provenance")
})
