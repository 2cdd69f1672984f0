import { promisify } from 'node:util'

import type { Encoding } from '../http/responses/accept-encoding.ts'
import { compress, MIN_COMPRESSED_BYTES } from '../http/responses/compression.ts'
import { digestOf, entityTag } from '../http/responses/entity-tag.ts'
import { SECURITY_HEADERS } from '../http/responses/security-headers.ts'

const compressed = promisify(compress)

/** With its headers, Node.js writes a string of this size without allocating memory for it. */
const MAX_TEXT_BYTES = 12 * 1024

/** One representation of an answer: its bytes and the headers that belong to them. */
export interface Representation {
  readonly body: Buffer
  /** The bytes of a small body as a Latin-1 string, cheaper to send; otherwise the body. */
  readonly payload: string | Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** The same headers and the security headers, as a flat list of names and values. */
  readonly headerList: readonly string[]
}

/**
 * A JSON answer that is the same for all clients: serialized once, compressed once per encoding.
 */
export class PublicAnswer {
  /** The answer without compression. */
  readonly identity: Representation
  readonly #digest: string
  readonly #vary: string
  readonly #compressed = new Map<Encoding, Promise<Representation>>()
  readonly #ready = new Map<Encoding, Representation>()

  /** `varyOn` lists the request headers that the answer depends on, besides `Accept-Encoding`. */
  constructor(json: string, varyOn: readonly string[] = []) {
    const body = Buffer.from(json)
    this.#digest = digestOf(body)
    this.#vary = ['Accept-Encoding', ...varyOn].join(', ')
    this.identity = this.#representation(body, undefined)
  }

  /** Upper bound of the bytes in memory: a compressed form is hardly larger than the answer. */
  get weightBytes(): number {
    const { length } = this.identity.body
    return length * (length < MIN_COMPRESSED_BYTES ? 1 : 3) * (length <= MAX_TEXT_BYTES ? 2 : 1)
  }

  /** The representation in an encoding, or undefined if it isn't compressed yet. */
  peek(encoding: Encoding | undefined): Representation | undefined {
    if (encoding === undefined || this.identity.body.length < MIN_COMPRESSED_BYTES)
      return this.identity
    return this.#ready.get(encoding)
  }

  /** The representation in an encoding; the first caller compresses it. */
  async in(encoding: Encoding): Promise<Representation> {
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return await known
    const made = compressed(encoding, this.identity.body).then((body) => {
      const representation = this.#representation(body, encoding)
      this.#ready.set(encoding, representation)
      return representation
    })
    this.#compressed.set(encoding, made)
    return await made
  }

  #representation(body: Buffer, encoding: Encoding | undefined): Representation {
    const etag = entityTag(this.#digest, encoding)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      etag,
      vary: this.#vary,
      'cache-control': 'no-cache',
    }
    return {
      body,
      payload: body.length <= MAX_TEXT_BYTES ? body.toString('latin1') : body,
      etag,
      headers,
      headerList: Object.entries({ ...headers, ...SECURITY_HEADERS }).flat(),
    }
  }
}
