import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { createClient, createRouterTransport } from '@connectrpc/connect'
import { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { SessionKeys, type SessionCookie } from './session-keys.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { TokenRenewal, type TokenRenewalOptions } from './token-renewal.ts'

const MIB = 1024 * 1024
const LATER = Date.parse('2027-01-01T00:00:00Z')

// A session is read again after a few seconds.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: LATER - 86_400_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sessions of a catalog in which every cookie has one, with a token of this size. */
function startSessions(tokenBytes: number) {
  const keys = new SessionKeys([Buffer.alloc(32, 1)])
  const content = { token: 'x'.repeat(tokenBytes), expiresAt: LATER, refreshAt: LATER, name: 'A' }
  const sealed = new Map<string, Buffer>()
  let calls = 0
  const transport = createRouterTransport(({ service }) => {
    service(BrowserSessionService, {
      getBrowserSession({ hash }) {
        calls += 1
        const id = Buffer.from(hash).toString('hex')
        const content = sealed.get(id) ?? Buffer.alloc(0)
        const expireTime = timestampFromMs(LATER)
        return { session: { id, userId: id, version: 1, sealed: content, expireTime } }
      },
    })
  })
  const store = new SessionStore(createClient(BrowserSessionService, transport), async () => 'any')
  // No token is due, so that no identity provider is needed.
  const renewal = new TokenRenewal({ store, keys } as TokenRenewalOptions)
  const sessions = new Sessions({ keys, store, renewal })
  const open = async (): Promise<SessionCookie> => {
    const cookie = keys.newCookie()
    sealed.set(cookie.hash.toString('hex'), renewal.seal(cookie, content))
    await sessions.find(cookie)
    return cookie
  }
  /** Whether a session is found without a call of the catalog. */
  const isCached = async (cookie: SessionCookie) => {
    const before = calls
    await sessions.find(cookie)
    return calls === before
  }
  return { open, isCached }
}

test('keeps sessions in memory up to a number of bytes, and drops the oldest first', async () => {
  // Encrypted and decrypted, 31 of them take less than 64 MiB.
  const { open, isCached } = startSessions(MIB)
  const cookies: SessionCookie[] = []
  for (let count = 0; count < 31; count += 1) cookies.push(await open())
  const [oldest] = cookies
  if (oldest === undefined) throw new Error('there is no session')
  for (const cookie of cookies) expect(await isCached(cookie)).toBe(true)
  const newest = [await open(), await open(), await open()]
  expect(await isCached(oldest)).toBe(false)
  for (const cookie of newest) expect(await isCached(cookie)).toBe(true)
})
