import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { approve } from '@slipway/local/device-login'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { shortToken } from '../../support/api.ts'
import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'

const TOKENS = '.config/slipway/tokens.json'

interface StoredTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_at: number
}

/** Signs a user in as they would: in a browser, with the code that the terminal shows. */
async function signIn(slipway: CommandLine, user: string): Promise<string> {
  using terminal = await slipway.onTerminal(['login', fromStack('SLIPWAY_URL')])
  await terminal.shows(/enter the code [A-Z]{4}-[A-Z]{4}/)
  const [, page = '', code = ''] = /Open (\S+) and enter the code (\S+)/.exec(terminal.text) ?? []
  await approve(page, code, user)
  const exitCode = await terminal.ended
  expect({ exitCode, text: terminal.text }).toMatchObject({ exitCode: 0 })
  return terminal.text
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

test.each([
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
