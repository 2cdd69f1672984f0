import {
  bytesBlob,
  descriptorOf,
  jsonBlob,
  MediaType,
  type Blob,
  type Descriptor,
} from '../image/oci.ts'
import { findDocument } from './pull.ts'
import { pushBlob } from './push-blob.ts'
import type { RepositoryClient } from './registry-client.ts'

/** A document about an image. */
export interface Referrer {
  /** The media type of the document, by which tools find it. */
  readonly type: string
  readonly bytes: Buffer
  readonly annotations: Readonly<Record<string, string>>
}

interface ReferrerIndex {
  readonly manifests: readonly Descriptor[]
}

const EMPTY: Blob = bytesBlob('application/vnd.oci.empty.v1+json', Buffer.from('{}'))

/**
 * Pushes a document as a referrer of a manifest, as OCI 1.1 defines it. If the registry has no list
 * of referrers, adds it to the index that clients look for in its place, under a tag with the
 * digest of the subject. Returns the digest of the document's manifest.
 */
export async function pushReferrer(
  client: RepositoryClient,
  subject: Descriptor,
  { type, bytes, annotations }: Referrer,
): Promise<string> {
  const content = bytesBlob(type, bytes)
  const manifest = jsonBlob(MediaType.manifest, {
    schemaVersion: 2,
    mediaType: MediaType.manifest,
    artifactType: type,
    config: descriptorOf(EMPTY),
    layers: [descriptorOf(content)],
    subject: descriptorOf(subject),
    annotations,
  })
  const { digest } = manifest
  for (const blob of [EMPTY, content]) await pushBlob(client, blob)
  const response = await put(client, digest, manifest)
  const isListed =
    response.headers.get('oci-subject') !== null || (await lists(client, subject, digest))
  if (!isListed) {
    const entry = { ...descriptorOf(manifest), artifactType: type, annotations }
    await addToTag(client, subject, entry)
  }
  return digest
}

async function lists(
  client: RepositoryClient,
  subject: Descriptor,
  digest: string,
): Promise<boolean> {
  const bytes = await findDocument(client, `referrers/${subject.digest}`)
  return bytes !== undefined && manifestsOf(bytes).some((each) => each.digest === digest)
}

/** The fallback of OCI 1.1: an index under a tag that is made of the subject's digest. */
async function addToTag(
  client: RepositoryClient,
  subject: Descriptor,
  entry: Descriptor,
): Promise<void> {
  const tag = subject.digest.replace(':', '-')
  const bytes = await findDocument(client, `manifests/${tag}`)
  const known = bytes === undefined ? [] : manifestsOf(bytes)
  if (known.some(({ digest }) => digest === entry.digest)) return
  const manifests = [...known, entry]
  const index = { schemaVersion: 2, mediaType: MediaType.index, manifests }
  await put(client, tag, jsonBlob(MediaType.index, index))
}

function manifestsOf(bytes: Buffer): readonly Descriptor[] {
  try {
    const { manifests } = JSON.parse(bytes.toString()) as Partial<ReferrerIndex>
    return Array.isArray(manifests) ? manifests : []
  } catch {
    return []
  }
}

async function put(
  client: RepositoryClient,
  name: string,
  { mediaType, source }: Blob,
): Promise<Response> {
  if (!('bytes' in source)) throw new Error('a manifest is in memory')
  const { bytes } = source
  return await client.request({
    action: `push of ${client.repository} (${name.slice(0, 19)})`,
    method: 'PUT',
    path: `manifests/${name}`,
    headers: { 'content-type': mediaType },
    body: async () => new Uint8Array(bytes),
    expected: [201],
  })
}
