import { openAsBlob } from 'node:fs'
import type { Blob, Image } from './oci.ts'
import { formatSize, type Progress } from './progress.ts'
import { parseRegistry } from './registry-location.ts'

/** The result of a push. */
export interface PushResult {
  digest: string
  /** False if the registry already had the image under this tag. */
  pushed: boolean
}

async function call(
  action: string,
  url: string | URL,
  init: RequestInit,
  expected: readonly number[],
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (cause) {
    throw new Error(`${action}: no response from ${new URL(url).host}`, { cause })
  }
  // The body is always read: an unread body keeps its connection busy.
  const text = init.method === 'HEAD' ? '' : await response.text()
  if (expected.includes(response.status)) return response
  const answer = `${response.status} ${text.slice(0, 300)}`
  throw new Error(`${action}: the registry returned ${answer}`.trim())
}

async function bodyOf(blob: Blob): Promise<NonNullable<RequestInit['body']>> {
  return 'bytes' in blob.source ? new Uint8Array(blob.source.bytes) : openAsBlob(blob.source.file)
}

async function pushBlob(base: string, blob: Blob): Promise<boolean> {
  const action = `push of ${blob.digest.slice(0, 19)}`
  const known = await call(action, `${base}/blobs/${blob.digest}`, { method: 'HEAD' }, [200, 404])
  if (known.status === 200) return false
  const opened = await call(action, `${base}/blobs/uploads/`, { method: 'POST' }, [202])
  const location = opened.headers.get('location')
  if (!location) throw new Error(`${action}: the registry's response has no upload location`)
  const upload = new URL(location, base)
  upload.searchParams.set('digest', blob.digest)
  const headers = { 'content-type': 'application/octet-stream' }
  await call(action, upload, { method: 'PUT', headers, body: await bodyOf(blob) }, [201])
  return true
}

/**
 * Pushes an image to a registry without a password (`host:port`, or with a path). Sends only blobs
 * that the registry lacks.
 */
export async function pushImage(
  registry: string,
  repository: string,
  tag: string,
  image: Image,
  progress: Progress = () => {},
): Promise<PushResult> {
  const { origin, path } = parseRegistry(registry)
  const base = `${origin}/v2/${path}${repository}`
  const { digest, mediaType } = image.manifest
  const tagUrl = `${base}/manifests/${tag}`
  const action = `push of ${repository}:${tag}`
  const known = await call(
    action,
    tagUrl,
    { method: 'HEAD', headers: { accept: mediaType } },
    [200, 404],
  )
  if (known.status === 200 && known.headers.get('docker-content-digest') === digest)
    return { digest, pushed: false }
  let sentBytes = 0
  await Promise.all(
    [image.config, ...image.layers].map(async (blob) => {
      if (await pushBlob(base, blob)) sentBytes += blob.size
    }),
  )
  const body = await bodyOf(image.manifest)
  const headers = { 'content-type': mediaType }
  await call(action, tagUrl, { method: 'PUT', headers, body }, [201])
  progress(`pushed ${repository}:${tag} (${formatSize(sentBytes)} new)`)
  return { digest, pushed: true }
}

/** Like pushImage; `reference` is the image's full name with a tag. */
export async function pushReference(
  registry: string,
  reference: string,
  image: Image,
  progress?: Progress,
): Promise<PushResult> {
  const name = reference.slice(parseRegistry(registry).prefix.length)
  const colon = name.lastIndexOf(':')
  return await pushImage(registry, name.slice(0, colon), name.slice(colon + 1), image, progress)
}
