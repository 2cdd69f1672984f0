import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { createClient, createRouterTransport } from '@connectrpc/connect'
import { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { createTokenVerifier } from '@slipway/shared/auth'
import { createLogger } from '@slipway/shared/logger'
import { testIssuer } from '@slipway/testing'
import { expect, test } from 'vitest'

import type { SignInConfig } from './config.ts'
import { IdentityProvider } from './identity-provider.ts'
import { SessionKeys } from './session-keys.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { TokenRenewal } from './token-renewal.ts'

const HOUR_MS = 3_600_000

/** A provider that answers each refresh with this token, and notes which tokens it revokes. */
async function startProvider(accessToken: string) {
  const revoked: (string | null)[] = []
  const server = createServer((request, response) => {
    void respond(request).then((body) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(request: IncomingMessage): Promise<object> {
    const body = new URLSearchParams((await Array.fromAsync(request)).join(''))
    if (request.url === '/token')
      return {
        access_token: accessToken,
        token_type: 'bearer',
        expires_in: 3600,
        refresh_token: 'second',
      }
    if (request.url === '/revoke') {
      revoked.push(body.get('token'))
      return {}
    }
    return { issuer: url, token_endpoint: `${url}/token`, revocation_endpoint: `${url}/revoke` }
  }

  return {
    url,
    revoked,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A session of Alice, at a provider that refreshes it with this token. */
async function startSession(refreshed: string, { isDue }: { readonly isDue: boolean }) {
  const issuer = await testIssuer()
  const token = await issuer.userToken('alice')
  const provider = await startProvider(await issuer.userToken(refreshed))
  const keys = new SessionKeys([Buffer.alloc(32, 1)])
  const cookie = keys.newCookie()
  let sealed: Buffer | undefined
  const stored = () => ({
    id: 'session',
    userId: 'alice',
    version: 1,
    sealed: sealed ?? Buffer.alloc(0),
    expireTime: timestampFromMs(Date.now() + HOUR_MS),
  })
  const transport = createRouterTransport(({ service }) => {
    service(BrowserSessionService, {
      getBrowserSession: () => ({ session: stored() }),
      leaseBrowserSession: () => ({ session: stored(), leaseId: 'lease' }),
      updateBrowserSession: (request) => {
        sealed = Buffer.from(request.sealed)
        return { session: stored() }
      },
      endBrowserSession: () => {
        const userId = sealed === undefined ? '' : 'alice'
        sealed = undefined
        return { userId }
      },
    })
  })
  const store = new SessionStore(createClient(BrowserSessionService, transport), async () => 'any')
  const [settings] = issuer.issuers
  const config = { issuer: { ...settings, issuer: provider.url }, clientId: 'console' }
  const renewal = new TokenRenewal({
    store,
    keys,
    provider: new IdentityProvider(config as SignInConfig),
    tokenVerifier: createTokenVerifier(issuer.issuers),
    logger: createLogger('test', 'silent'),
  })
  const content = {
    token,
    refreshToken: 'first',
    expiresAt: Date.now() + HOUR_MS,
    refreshAt: isDue ? 0 : Date.now() + HOUR_MS,
    name: 'Alice',
  }
  sealed = renewal.seal(cookie, content)
  return {
    cookie,
    sessions: new Sessions({ keys, store, renewal }),
    revoked: provider.revoked,
    isStored: () => sealed !== undefined,
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

test('a refresh with the tokens of the same person continues the session', async () => {
  await using session = await startSession('alice', { isDue: true })
  const { content } = await session.sessions.find(session.cookie)
  expect([content.refreshToken, session.isStored()]).toEqual(['second', true])
  expect(session.revoked).toEqual([])
})

test('a refresh with the tokens of someone else ends the session, and revokes them', async () => {
  await using session = await startSession('mallory', { isDue: true })
  await expect(session.sessions.find(session.cookie)).rejects.toMatchObject({
    reason: 'session_ended',
  })
  expect(session.isStored()).toBe(false)
  expect(session.revoked).toEqual(['second'])
})

test.each([false, true])('a sign-out (everywhere: %s) revokes the refresh token', async (all) => {
  await using session = await startSession('alice', { isDue: false })
  expect(await session.sessions.end(session.cookie, all)).toBe(true)
  expect([session.isStored(), session.revoked]).toEqual([false, ['first']])
  expect(await session.sessions.end(session.cookie, all)).toBe(false)
})
