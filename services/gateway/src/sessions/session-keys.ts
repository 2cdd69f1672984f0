import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SECRET_BYTES = 32
const MAC_BYTES = 16
const COOKIE = /^([\w-]{43})\.([\w-]{22})$/

/** What a session is known by. */
export interface SessionCookie {
  /** The value of the cookie. */
  readonly text: string
  /** The random part. The key of the session's content is made of it. */
  readonly secret: Buffer
  /** SHA-256 of the random part, which is stored. */
  readonly hash: Buffer
}

/**
 * Makes and checks cookies, and encrypts what is kept for them. The first secret is in use, and the
 * others only read what was made with them before.
 */
export class SessionKeys {
  readonly #secrets: readonly Buffer[]

  constructor(secrets: readonly Buffer[]) {
    this.#secrets = secrets
  }

  /** Makes the cookie of a new session: 256 random bits and a checksum that needs the key. */
  newCookie(): SessionCookie {
    const secret = randomBytes(SECRET_BYTES)
    const [current = Buffer.alloc(0)] = this.#secrets
    const text = `${secret.toString('base64url')}.${macOf(current, secret).toString('base64url')}`
    return { text, secret, hash: hash('sha256', secret, 'buffer') }
  }

  /** Reads a cookie; undefined if this gateway can't have made it, so that it costs no lookup. */
  readCookie(text: string): SessionCookie | undefined {
    const [, random = '', mac = ''] = COOKIE.exec(text) ?? []
    const secret = Buffer.from(random, 'base64url')
    const given = Buffer.from(mac, 'base64url')
    if (secret.length !== SECRET_BYTES || given.length !== MAC_BYTES) return undefined
    const isOwn = this.#secrets.some((each) => timingSafeEqual(macOf(each, secret), given))
    return isOwn ? { text, secret, hash: hash('sha256', secret, 'buffer') } : undefined
  }

  /**
   * Encrypts a text with AES-256-GCM. Only the same purpose and salt open it: the secret of a
   * cookie as salt makes the content of a session useless without the cookie.
   */
  seal(text: string, purpose: string, salt: Buffer = Buffer.alloc(0)): Buffer {
    const [current = Buffer.alloc(0)] = this.#secrets
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, derive(current, purpose, salt), nonce)
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  /** Decrypts a text; undefined if it was changed, or sealed with other keys, purpose or salt. */
  open(sealed: Buffer, purpose: string, salt: Buffer = Buffer.alloc(0)): string | undefined {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
    for (const secret of this.#secrets) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, derive(secret, purpose, salt), nonce)
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        // Another key, or not ours.
      }
    }
    return undefined
  }
}

function macOf(secret: Buffer, text: Buffer): Buffer {
  const key = derive(secret, 'cookie', Buffer.alloc(0))
  return createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES)
}

function derive(secret: Buffer, purpose: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, `slipway ${purpose}`, KEY_BYTES))
}
