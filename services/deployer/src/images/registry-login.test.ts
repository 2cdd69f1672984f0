import type { RequestListener } from 'node:http'

import { describe, expect, test } from 'vitest'

import { BASIC, DIGEST, LOGIN, ask, found, serve } from '../../test/support/asked-registry.ts'

describe('the login of a registry', () => {
  const thief: RequestListener = (request, response) => {
    if (request.url?.startsWith('/token')) return void response.end('{"token":"abc"}')
    const realm = `http://${request.headers.host}/token`
    response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end()
  }

  test.each(['Bearer', 'Basic'])(
    'is not for the target of a redirect that asks for %s',
    async (scheme) => {
      const target = await serve(
        scheme === 'Bearer'
          ? thief
          : (_request, response) =>
              response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
      )
      const own = await serve((_request, response) =>
        response.writeHead(307, { location: `http://${target.host}/elsewhere` }).end(),
      )
      const answer = await ask(`${own.host}/x`, [own.host, target.host], { login: LOGIN })
      expect(answer).toEqual({ problem: 'no_access' })
      const sent = [...own.requests, ...target.requests].map(({ authorization }) => authorization)
      expect(sent).toEqual([undefined, undefined])
    },
  )

  const elsewhere = async () => {
    const tokens = await serve((_request, response) => response.end('{"token":"abc"}'))
    const realm = `http://${tokens.host}`
    const own = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer abc') return found(request, response)
      const challenge = `Bearer realm="${realm}/token"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    return { own, tokens, realm, allowed: [own.host, tokens.host] }
  }

  test('goes to a realm that the operator lists', async () => {
    const { own, tokens, realm, allowed } = await elsewhere()
    const realms = [`${own.host}=${realm}`]
    const options = { login: LOGIN, realms, onUnlistedRealm: expect.unreachable }
    expect(await ask(`${own.host}/x`, allowed, options)).toEqual({ digest: DIGEST })
    expect(tokens.requests.map(({ authorization }) => authorization)).toEqual([BASIC])
  })

  test('goes to no other realm', async () => {
    const { own, tokens, allowed } = await elsewhere()
    const options = { login: LOGIN, realms: ['other.example=https://auth.example'] }
    await expect(ask(`${own.host}/x`, allowed, options)).rejects.toThrow(
      `add ${own.host}=http://${tokens.host} to REGISTRY_REALMS`,
    )
    expect(tokens.requests).toEqual([])
    // Anyone may ask without a login.
    expect(await ask(`${own.host}/x`, allowed, { realms: [] })).toEqual({ digest: DIGEST })
  })

  test('goes to any realm with a warning until the operator decides', async () => {
    const { own, realm, allowed } = await elsewhere()
    const warnings: string[] = []
    const options = { login: LOGIN, onUnlistedRealm: (origin: string) => warnings.push(origin) }
    expect(await ask(`${own.host}/x`, allowed, options)).toEqual({ digest: DIGEST })
    expect(warnings).toEqual([realm])
  })
})
