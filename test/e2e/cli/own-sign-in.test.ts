import { describe, expect, test } from 'vitest'

import { approveSignIn } from '../../support/approve-sign-in.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { startLoneGateway } from '../../support/lone-gateway.ts'
import { signInOnTerminal as signIn } from '../../support/sign-in-on-terminal.ts'

describe('a server that names the issuer and client of another one', () => {
  /** A gateway whose metadata repeats the stack's, but for a change. It reaches no service. */
  async function startCopy(change: { issuerPath?: string; clientId?: string } = {}) {
    const metadata = `${fromStack('SLIPWAY_URL')}/.well-known/oauth-protected-resource/api/v1`
    const { slipway_login: logins } = (await (await fetch(metadata)).json()) as {
      slipway_login: { issuer: string; client_id: string }[]
    }
    const [{ issuer, client_id } = { issuer: '', client_id: '' }] = logins
    const entry = {
      issuer: `${issuer}${change.issuerPath ?? ''}`,
      audience: 'urn:slipway:api',
      login: { client_id: change.clientId ?? client_id },
    }
    return await startLoneGateway({ AUTH_ISSUERS: JSON.stringify([entry]) })
  }

  test('gets no token without consent', async () => {
    await using other = await startCopy()
    await using slipway = await CommandLine.open()
    const text = await signIn(slipway, 'alice')
    const real = fromStack('SLIPWAY_URL')
    expect(text).toContain(`${real} will get a token of `)

    const refused = await slipway.run(['login', other.url])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`${other.url} signs in like ${real}: at `)
    expect(refused.stderr).toContain('use --share-sign-in if you trust')
    expect(refused.stderr).not.toContain('enter the code')

    // What was known is enough: the context and its tokens may be gone.
    await slipway.json(['logout'])
    await slipway.json(['context', 'remove', 'local'])
    using terminal = await slipway.onTerminal(['login', other.url])
    await terminal.shows(/Trust .* with your access to/)
    terminal.type('\r')
    expect(await terminal.ended).not.toBe(0)
    expect(terminal.text).toContain('nothing was changed')
    expect(terminal.text).not.toContain('enter the code')
  })

  test('gets no token for another name of the issuer', async () => {
    await using other = await startCopy({ issuerPath: '/.well-known/openid-configuration' })
    await using slipway = await CommandLine.open()
    await signIn(slipway, 'alice')
    const refused = await slipway.run(['login', other.url])
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain(' calls itself ')
    expect(refused.stderr).not.toContain('enter the code')
  })

  test('gets no token of another client that is for the same API', async () => {
    await using other = await startCopy({ clientId: 'slipway-short-lived' })
    await using slipway = await CommandLine.open()
    await signIn(slipway, 'alice')
    using terminal = await slipway.onTerminal(['login', other.url])
    await approveSignIn(terminal)
    await terminal.shows(/Trust .* with your access to/)
    terminal.type('\r')
    expect(await terminal.ended).not.toBe(0)
    expect(terminal.text).toContain('nothing was changed')
    expect(terminal.text).not.toContain('signed in to')
  })

  test('signs in when the user trusts it', async () => {
    await using other = await startCopy()
    await using slipway = await CommandLine.open()
    await signIn(slipway, 'alice')
    using terminal = await slipway.onTerminal(['login', other.url, '--share-sign-in'])
    await terminal.shows(/enter the code [A-Z]{4}-[A-Z]{4}/)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
  })
})

test('sends no token over plain http to another machine', async () => {
  await using slipway = await CommandLine.open()
  for (const command of [['login'], ['context', 'add', 'a']]) {
    const { code, stderr } = await slipway.run([...command, 'http://192.0.2.1'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--insecure'),
    })
  }
  const added = await slipway.run(['context', 'add', 'a', 'http://192.0.2.1', '--insecure'])
  expect(added.code).toBe(0)
})
