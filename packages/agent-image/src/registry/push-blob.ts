import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Blob } from '../image/oci.ts'
import { RegistryError } from './registry-error.ts'
import type { RepositoryClient } from './registry-client.ts'
import { withRetries } from './retries.ts'

/** An upload that sends nothing for this time is started again. */
const STALL_MS = 60_000
/** The size of a part if a registry refuses a blob as a whole. */
const PART_BYTES = 16 << 20

/** How the bytes of a blob got into a repository. */
export type BlobResult = 'known' | 'mounted' | 'sent'

/** What a push of a blob reports, and where else the registry has it. */
export interface PushBlobOptions {
  /** Another repository of the registry that has the blob. */
  readonly mountFrom?: string | undefined
  /** Receives how many bytes of the blob are sent; falls when an upload starts again. */
  readonly onSent?: ((bytes: number) => void) | undefined
}

/** Uploads a blob unless the repository has it. A cut connection starts the upload again. */
export async function pushBlob(
  client: RepositoryClient,
  blob: Blob,
  { mountFrom, onSent = () => undefined }: PushBlobOptions = {},
): Promise<BlobResult> {
  const action = `push of ${client.repository} (${blob.digest.slice(0, 19)})`
  const known = await client.request({
    action,
    method: 'HEAD',
    path: `blobs/${blob.digest}`,
    expected: [200, 404],
  })
  if (known.status === 200) return 'known'
  let isInParts = false
  const send = async (): Promise<BlobResult> => {
    const opened = await open(client, action, blob.digest, mountFrom)
    if (opened.status === 201) return 'mounted'
    onSent(0)
    const upload = { client, action, blob, onSent }
    await (isInParts ? sendParts(upload, opened) : sendWhole(upload, opened))
    return 'sent'
  }
  return await withRetries(async () => {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof RegistryError) || blob.size <= PART_BYTES) throw error
      // Proxies bound the size of a request, some by ending the connection. Parts may be below
      // that, but not every registry takes parts.
      const isTooLarge = error.status === 413 && !isInParts
      if (isTooLarge || error.problem === 'unreachable') isInParts = !isInParts
      if (!isTooLarge) throw error
      return await send()
    }
  }, client.signal)
}

async function open(
  client: RepositoryClient,
  action: string,
  digest: string,
  mountFrom: string | undefined,
): Promise<Response> {
  const query =
    mountFrom === undefined ? '' : `?mount=${digest}&from=${encodeURIComponent(mountFrom)}`
  return await client.request({
    action,
    method: 'POST',
    path: `blobs/uploads/${query}`,
    expected: mountFrom === undefined ? [202] : [201, 202],
    headers: { 'content-length': '0' },
    ...(mountFrom !== undefined && { alsoReads: mountFrom }),
    retries: false,
  })
}

interface Upload {
  readonly client: RepositoryClient
  readonly action: string
  readonly blob: Blob
  readonly onSent: (bytes: number) => void
}

async function sendWhole(upload: Upload, opened: Response): Promise<void> {
  const { client, action, blob } = upload
  const location = locationOf(upload, opened)
  location.searchParams.set('digest', blob.digest)
  using stall = new Stall()
  await client.request({
    action,
    method: 'PUT',
    path: location,
    expected: [201],
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(blob.size) },
    body: async () => bytesOf(upload, 0, blob.size, stall),
    signal: stall.signal,
    retries: false,
  })
}

async function sendParts(upload: Upload, opened: Response): Promise<void> {
  const { client, action, blob } = upload
  let location = locationOf(upload, opened)
  const least = Number(opened.headers.get('oci-chunk-min-length') ?? 0)
  const partBytes = Math.max(PART_BYTES, Number.isSafeInteger(least) ? least : 0)
  for (let start = 0; start < blob.size; start += partBytes) {
    const end = Math.min(start + partBytes, blob.size)
    using stall = new Stall()
    const sent = await client.request({
      action,
      method: 'PATCH',
      path: location,
      expected: [202],
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(end - start),
        'content-range': `${start}-${end - 1}`,
      },
      body: async () => bytesOf(upload, start, end, stall),
      signal: stall.signal,
      retries: false,
    })
    location = locationOf(upload, sent)
  }
  location.searchParams.set('digest', blob.digest)
  const headers = { 'content-length': '0' }
  await client.request({
    action,
    method: 'PUT',
    path: location,
    expected: [201],
    headers,
    retries: false,
  })
}

function locationOf({ client, action }: Upload, response: Response): URL {
  const location = response.headers.get('location')
  if (location !== null) return client.url(location)
  throw new RegistryError(`${action}: the registry's response has no upload location`, {
    problem: 'rejected',
    registry: new URL(client.origin).host,
  })
}

function bytesOf(upload: Upload, start: number, end: number, stall: Stall): ReadableStream {
  const { client, blob, onSent } = upload
  let sent = start
  const source =
    'bytes' in blob.source
      ? Readable.from([blob.source.bytes.subarray(start, end)])
      : createReadStream(blob.source.file, { start, end: end - 1, highWaterMark: 256 << 10 })
  return ReadableStream.from(
    (async function* count() {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        yield new Uint8Array(chunk)
        // `fetch` goes on reading the body of a request that it has aborted.
        client.signal?.throwIfAborted()
        sent += chunk.byteLength
        stall.moved()
        onSent(sent)
      }
    })(),
  )
}

/** Aborts a request that has stopped moving. */
class Stall implements Disposable {
  readonly #controller = new AbortController()
  #timer = this.#start()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  moved(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#start()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(new Error('the upload stalled')), STALL_MS)
  }
}
