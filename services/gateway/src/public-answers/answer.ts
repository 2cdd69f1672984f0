import { hash } from 'node:crypto'
import { promisify } from 'node:util'

import { compress, type Encoding } from '../http/compression.ts'
import { SECURITY_HEADERS } from '../http/plugins/security-headers.ts'

const compressed = promisify(compress)

/** Answers below this size aren't worth compressing. */
export const MIN_COMPRESSED_BYTES = 1024

/** One representation of an answer: its bytes and the headers that belong to them. */
export interface Representation {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** The same and those of every answer, names and values in turn. */
  readonly headerList: readonly string[]
}

/** A JSON answer that anybody may have: serialised once, compressed once per encoding. */
export class PublicAnswer {
  /** As it is, without a content coding. */
  readonly identity: Representation
  readonly #digest: string
  readonly #vary: string
  readonly #compressed = new Map<Encoding, Promise<Representation>>()
  readonly #ready = new Map<Encoding, Representation>()

  /** `vary` names what else than the encoding the answer depends on. */
  constructor(json: string, vary = '') {
    const body = Buffer.from(json)
    this.#digest = hash('sha256', body, 'base64url')
    this.#vary = vary === '' ? 'Accept-Encoding' : `Accept-Encoding, ${vary}`
    this.identity = this.#representation(body, undefined)
  }

  /**
   * Size of everything that is or may come to be held; no compressed form is much larger than the
   * answer itself.
   */
  get weightBytes(): number {
    return this.identity.body.length * (this.identity.body.length < MIN_COMPRESSED_BYTES ? 1 : 3)
  }

  /** The representation for an encoding when it is at hand, else undefined. */
  peek(encoding: Encoding | undefined): Representation | undefined {
    if (encoding === undefined || this.identity.body.length < MIN_COMPRESSED_BYTES)
      return this.identity
    return this.#ready.get(encoding)
  }

  /** The representation for an encoding; made by the first who asks for it. */
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
    const etag = encoding === undefined ? `"${this.#digest}"` : `"${this.#digest}.${encoding}"`
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      etag,
      vary: this.#vary,
      'cache-control': 'no-cache',
    }
    return {
      body,
      etag,
      headers,
      headerList: Object.entries({ ...headers, ...SECURITY_HEADERS }).flat(),
    }
  }
}
