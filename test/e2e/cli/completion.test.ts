import { expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { buildBody } from '../../contract/support/catalog-fixture.ts'
import { request } from '../../support/api.ts'
import { CommandLine } from '../../support/command-line.ts'

// The machine of the tests may be slow.
const PATIENT = { SLIPWAY_COMPLETION_TIMEOUT_MS: '20000' }

test('proposes commands, options and names of the server', async () => {
  await using alice = await CommandLine.open('alice')
  const account = freshName('complete')
  await request('POST', '/accounts', { as: 'alice', body: { name: account } })
  const body = buildBody('finder', 'b1')
  await request('POST', `/agents/${account}/finder/register`, { as: 'alice', body })
  const proposed = async (...words: string[]) => {
    const { code, stdout, stderr } = await alice.run(['__complete', ...words], { env: PATIENT })
    expect([code, stderr]).toEqual([0, ''])
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t', 1)[0])
  }
  expect(await proposed('pub')).toEqual(['publish'])
  expect(await proposed('agents', '')).toEqual(expect.arrayContaining(['list', 'show', 'delete']))
  expect(await proposed('publish', '--bu')).toEqual(['--build'])
  expect(await proposed('publish', '--output=j')).toEqual(['--output=json'])
  expect(await proposed('agents', 'show', '--account', account, 'fi')).toEqual(['finder'])
  expect(await proposed('agents', 'show', `${account}/`)).toEqual([`${account}/finder`])
  expect(await proposed('whoami', '--account', account)).toContain(account)
})

test('proposes nothing and prints no error when the server is away', async () => {
  await using alice = await CommandLine.open('alice')
  for (const env of [
    { SLIPWAY_URL: 'http://127.0.0.1:9' },
    { SLIPWAY_TOKEN: 'no-token' },
    { SLIPWAY_URL: undefined },
  ]) {
    const outcome = await alice.run(['__complete', 'agents', 'show', 'x'], { env })
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' })
  }
})

/** How each shell starts without the user's settings, and loads the script. */
const SHELLS = [
  ['bash', ['--norc', '--noprofile', '-i'], 'source <(slipway completion bash)'],
  [
    'zsh',
    ['-f', '-i'],
    'autoload -U compinit && compinit -D -u && source <(slipway completion zsh)',
  ],
  ['fish', ['--no-config', '-i'], 'slipway completion fish | source'],
] as const

test.each(SHELLS)('completes in %s when the tab key is pressed', async (shell, options, load) => {
  await using alice = await CommandLine.open('alice')
  const account = freshName('tab')
  await request('POST', '/accounts', { as: 'alice', body: { name: account } })
  for (const name of ['finder', 'other']) {
    const body = buildBody(name, 'b1')
    await request('POST', `/agents/${account}/${name}/register`, { as: 'alice', body })
  }
  const env = { ...PATIENT, SLIPWAY_ACCOUNT: account }
  using terminal = await alice.shell([shell, ...options], env)
  terminal.type(`${load}\r`)
  terminal.type(`echo loa''ded\r`)
  await terminal.shows(/^loaded$/m)
  terminal.type('slipway agents sh\t')
  await terminal.shows(/slipway agents show/)
  terminal.type('fi\t')
  await terminal.shows(/slipway agents show finder/)
  terminal.type('--out\tj\t')
  await terminal.shows(/slipway agents show finder --output json/)
  expect(terminal.text).not.toContain('other')
})
