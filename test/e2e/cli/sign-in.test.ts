import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { shortToken, tokenOf } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { startLoneGateway } from '../../support/lone-gateway.ts'
import { signInOnTerminal as signIn } from '../../support/sign-in-on-terminal.ts'

const TOKENS = '.config/slipway/tokens.json'

interface StoredTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_at: number
}

test('signs in with the device flow, and out again', async () => {
  await using slipway = await CommandLine.open()
  const text = await signIn(slipway, 'alice')
  expect(text).toContain('accounts: alice')
  expect(text).toMatch(/warning: the tokens are in \/\S+tokens.json/)

  const status = await slipway.json(['auth', 'status'])
  expect(status).toMatchObject({ token_from: 'file', is_valid: true, can_refresh: true })
  expect(await problemWithJson('auth status', status)).toBeUndefined()
  const profile = await slipway.json(['whoami'])
  expect(await problemWithJson('whoami', profile)).toBeUndefined()
  const contexts = await slipway.json(['context', 'list'])
  expect(contexts).toMatchObject({ contexts: [{ is_current: true }] })
  expect(await problemWithJson('context list', contexts)).toBeUndefined()

  const logout = await slipway.json(['logout'])
  expect(logout).toMatchObject({ was_signed_in: true, revoked: true })
  expect(await problemWithJson('logout', logout)).toBeUndefined()
  const after = await slipway.run(['whoami'])
  expect(after).toMatchObject({ code: 4, stdout: '' })
  expect(after.stderr).toMatch(/not signed in to .*\nnext: +slipway login http/)
})

test('prints each form of a result', async () => {
  await using slipway = await CommandLine.open('bob')
  const piped = await slipway.run(['account', 'list'])
  expect(piped.stdout).toMatch(/^\*\tbob\tpersonal\towner$/m)
  const yaml = await slipway.run(['account', 'list', '-o', 'yaml'])
  expect(yaml.stdout).toMatch(/^---\naccounts:\n {2}- name: /)
  using terminal = await slipway.onTerminal(['account', 'list'], { columns: 40 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.text).toMatch(/NAME +TYPE +ROLE/)
  expect(Math.max(...terminal.text.split('\n').map((line) => line.length))).toBeLessThan(41)
})

describe('someone who is signed in', () => {
  let slipway: CommandLine
  let context: string
  beforeAll(async () => {
    slipway = await CommandLine.open()
    await signIn(slipway, 'alice')
    context = Object.keys(await readTokens())[0] ?? ''
  })
  afterAll(async () => await slipway[Symbol.asyncDispose]())

  async function readTokens(): Promise<Record<string, StoredTokens>> {
    return JSON.parse(await readFile(join(slipway.home, TOKENS), 'utf8'))
  }

  async function changeTokens(change: Partial<StoredTokens>): Promise<void> {
    const tokens = await readTokens()
    const changed = { ...tokens, [context]: { ...tokens[context], ...change } }
    await writeFile(join(slipway.home, TOKENS), JSON.stringify(changed))
  }

  test('can run several commands at once when the token has expired', async () => {
    const before = await readTokens()
    await changeTokens({ expires_at: 0 })
    const outcomes = await Promise.all([1, 2, 3].map(() => slipway.run(['whoami', '--json'])))
    expect(outcomes.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(['0 ', '0 ', '0 '])
    const after = await readTokens()
    expect(after[context]?.expires_at).toBeGreaterThan(Date.now())
    expect(after[context]?.refresh_token).not.toBe(before[context]?.refresh_token)
  })

  test('gets another token when the server rejects one', async () => {
    await changeTokens({ access_token: 'revoked' })
    expect(await slipway.run(['whoami'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('never sends the token to another server', async () => {
    await slipway.json(['context', 'add', context, 'http://127.0.0.1:9599'])
    const { code, stderr } = await slipway.run(['whoami'])
    expect(code).toBe(4)
    expect(stderr).toContain('are for http')
  })
})

test('a refresh that returns the tokens of someone else ends the sign-in', async () => {
  await using alice = await CommandLine.open()
  await using bob = await CommandLine.open()
  await signIn(alice, 'alice')
  await signIn(bob, 'bob')
  const tokensOf = async ({ home }: CommandLine): Promise<Record<string, StoredTokens>> =>
    JSON.parse(await readFile(join(home, TOKENS), 'utf8'))
  const [[context, own] = ['', undefined]] = Object.entries(await tokensOf(alice))
  const [foreign] = Object.values(await tokensOf(bob))
  const mixed = { ...own, refresh_token: foreign?.refresh_token, expires_at: 0 }
  await writeFile(join(alice.home, TOKENS), JSON.stringify({ [context]: mixed }))
  const refused = await alice.run(['whoami'])
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toMatch(/returned the tokens of someone else\nnext: +slipway login http/)
  expect(await tokensOf(alice)).toEqual({})
})

test('Ctrl-C ends a sign-in, and stores nothing', async () => {
  await using slipway = await CommandLine.open()
  using terminal = await slipway.onTerminal(['login', fromStack('SLIPWAY_URL')])
  await terminal.shows(/enter the code [A-Z]{4}-[A-Z]{4}/)
  terminal.type('\u0003')
  expect([await terminal.ended, terminal.text]).toEqual([
    130,
    expect.not.stringContaining('error:'),
  ])
  await expect(readFile(join(slipway.home, TOKENS))).rejects.toThrow('ENOENT')
})

test('needs no home folder with a token and an address', async () => {
  await using alice = await CommandLine.open('alice')
  const env = { HOME: undefined, SLIPWAY_CONFIG_DIR: '/sys/no-folder' }
  expect(await alice.run(['whoami'], { env })).toMatchObject({ code: 0, stderr: '' })
  const stored = await alice.run(['context', 'add', 'a', 'http://127.0.0.1:9'], { env })
  expect(stored).toMatchObject({ code: 1, stdout: '' })
  expect(stored.stderr).toMatch(/^error: .*\nwhy: .*\nnext: {2}make the folder writable/)
})

test('says when to try again if there were too many requests', async () => {
  const few = { RATE_LIMIT_USER_PER_SECOND: '1', RATE_LIMIT_USER_BURST: '1' }
  await using gateway = await startLoneGateway(few)
  await using alice = await CommandLine.open('alice')
  const headers = { authorization: `Bearer ${await tokenOf('alice')}` }
  const refused = await waitFor(
    async () => {
      const ended = new AbortController()
      const others = (async () => {
        while (!ended.signal.aborted) await fetch(`${gateway.url}/api/v1/me`, { headers })
      })()
      // It is sent only once.
      const remove = ['account', 'delete', 'no-such-account', '--yes']
      const each = await alice.run(remove, { env: { SLIPWAY_URL: gateway.url } })
      ended.abort()
      await others
      return each.stderr.includes('try again in') ? each : undefined
    },
    { what: 'a request over the limit' },
  )
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^error: .+\nnext: {2}try again in \d+ s\nrequest id: /)
})

test.concurrent.each([
  ['a token that has expired', async () => ({ SLIPWAY_TOKEN: await shortToken() }), 4],
  ['a token that is not valid', async () => ({ SLIPWAY_TOKEN: 'x' }), 4],
  ['a server that is away', async () => ({ SLIPWAY_URL: 'http://127.0.0.1:9599' }), 1],
  ['a host that does not exist', async () => ({ SLIPWAY_URL: 'https://nowhere.invalid' }), 1],
  ['an address that is not valid', async () => ({ SLIPWAY_URL: 'a b' }), 2],
])('explains %s', async (_what, environment, code) => {
  await using slipway = await CommandLine.open('alice')
  const env = await environment()
  // The token of two seconds may not have expired yet.
  const outcome = await waitFor(
    async () => {
      const each = await slipway.run(['whoami', '--verbose'], { env })
      return each.code === 0 ? undefined : each
    },
    { what: 'an error' },
  )
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(outcome.stderr).toMatch(/^error: /m)
  expect(outcome.stderr).toMatch(/^next: {2}/m)
  expect(outcome.stderr).not.toContain('Bearer')
  expect(outcome.stderr).not.toContain('    at ')
})

test('prints errors as JSON where results are JSON', async () => {
  await using slipway = await CommandLine.open()
  const { code, stdout, stderr } = await slipway.run(['whoami', '--json'])
  expect(code).toBe(4)
  expect(stdout).toBe('')
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'no_server' } })
})

test('says what to do without a writable folder', async () => {
  await using slipway = await CommandLine.open()
  const add = ['context', 'add', 'a', 'http://127.0.0.1:9']
  const file = join(slipway.home, 'file')
  await writeFile(file, '')
  const blocked = await slipway.run(add, { env: { SLIPWAY_CONFIG_DIR: join(file, 'folder') } })
  expect(blocked).toMatchObject({ code: 1, stdout: '' })
  expect(blocked.stderr).toMatch(/next: {2}make the folder writable, or set SLIPWAY_CONFIG_DIR/)
})
