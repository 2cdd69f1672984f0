import { openAsBlob } from 'node:fs'
import type { Blob, Image } from './oci.ts'
import { formatSize, type Progress } from './progress.ts'

/** What a push did. */
export interface PushResult {
  digest: string
  /** False when the registry had all of it under this tag already. */
  pushed: boolean
}

/** Plain HTTP to this machine, as every OCI client does; HTTPS to any other. */
function originOf(registry: string): string {
  const { hostname } = new URL(`http://${registry}`)
  const local = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return `${local ? 'http' : 'https'}://${registry}`
}

async function call(
  what: string,
  url: string | URL,
  init: RequestInit,
  expected: readonly number[],
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (cause) {
    throw new Error(`${what}: no answer from ${new URL(url).host}`, { cause })
  }
  // The body must be read in any case: an unread one keeps its connection.
  const text = init.method === 'HEAD' ? '' : await response.text()
  if (expected.includes(response.status)) return response
  throw new Error(`${what}: the registry answered ${response.status} ${text.slice(0, 300)}`.trim())
}

async function bodyOf(blob: Blob): Promise<NonNullable<RequestInit['body']>> {
  return 'bytes' in blob.source ? new Uint8Array(blob.source.bytes) : openAsBlob(blob.source.file)
}

async function pushBlob(base: string, blob: Blob): Promise<boolean> {
  const what = `push of ${blob.digest.slice(0, 19)}`
  const known = await call(what, `${base}/blobs/${blob.digest}`, { method: 'HEAD' }, [200, 404])
  if (known.status === 200) return false
  const opened = await call(what, `${base}/blobs/uploads/`, { method: 'POST' }, [202])
  const location = opened.headers.get('location')
  if (!location) throw new Error(`${what}: the registry gave no upload location`)
  const upload = new URL(location, base)
  upload.searchParams.set('digest', blob.digest)
  const headers = { 'content-type': 'application/octet-stream' }
  await call(what, upload, { method: 'PUT', headers, body: await bodyOf(blob) }, [201])
  return true
}

/** Pushes an image to a registry (`host:port`), sending only the blobs that it lacks. */
export async function pushImage(
  registry: string,
  repository: string,
  tag: string,
  image: Image,
  progress: Progress = () => {},
): Promise<PushResult> {
  const base = `${originOf(registry)}/v2/${repository}`
  const { digest, mediaType } = image.manifest
  const tagUrl = `${base}/manifests/${tag}`
  const what = `push of ${repository}:${tag}`
  const known = await call(
    what,
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
  await call(what, tagUrl, { method: 'PUT', headers: { 'content-type': mediaType }, body }, [201])
  progress(`pushed ${repository}:${tag} (${formatSize(sentBytes)} new)`)
  return { digest, pushed: true }
}
