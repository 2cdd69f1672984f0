import { run } from '@stricli/core'
import { expect, test } from 'vitest'

import { applicationFor } from './application.ts'
import { withoutHelpWords } from './called-command.ts'

/** What the command line prints to standard error for a wrong call. */
async function complaint(...args: readonly string[]): Promise<string> {
  let text = ''
  const call = withoutHelpWords(args)
  const process = {
    stdout: { write() {} },
    stderr: { write: (part: string) => (text += part) },
    env: {},
  }
  await run(applicationFor(call), call, { process } as never)
  return text
}

test.each([
  [['stauts'], 'there is no command "stauts"; did you mean status?', 'slipway --help'],
  [['xyzzy'], 'there is no command "xyzzy"', 'slipway --help'],
  [['context', 'lst'], 'there is no command "lst"; did you mean list?', 'slipway context --help'],
  [['whoami', '--jsn'], 'there is no option --jsn; did you mean --json?', 'slipway whoami --help'],
  [
    ['whoami', '--output', 'xml'],
    '--output must be text or json or yaml, not "xml"',
    'whoami --help',
  ],
  [['whoami', '--context'], '--context needs a value', 'slipway whoami --help'],
  [['whoami', 'x'], '"x" is one argument too many', 'slipway whoami --help'],
  [['context', 'use'], 'the argument name is missing', 'slipway context use --help'],
])('explains %j', async (args, message, next) => {
  const [error = '', advice = ''] = (await complaint(...args)).trim().split('\n')
  expect(error).toBe(`error: ${message}`)
  expect(advice).toMatch(/^next: {2}slipway /)
  expect(advice).toContain(next)
})

test.each([
  [
    ['whoami', '--json', '--contxt', 'x'],
    /^there is no option --contxt; did you mean --context\?$/,
  ],
  [['stauts', '-o', 'json'], /^there is no command "stauts"; did you mean status\?$/],
  [['metrics', '--output=json', '--since', '7x'], /^since: "7x" is not a time/],
  [['context', 'use', '--json'], /^the argument name is missing$/],
])('explains %j in JSON', async (args, message) => {
  const { error } = JSON.parse(await complaint(...args)) as { error: Record<string, unknown> }
  expect(error).toMatchObject({
    code: 'usage',
    message: expect.stringMatching(message),
    next: expect.stringMatching(/^slipway .*--help$/),
  })
})

test('explains what follows -- as text', async () => {
  expect(await complaint('whoami', '--', '--json')).toMatch(/^error: "--json" is one argument/)
})

test('takes help and version as words', async () => {
  expect(withoutHelpWords(['help', 'deploy'])).toEqual(['deploy', '--help'])
  expect(withoutHelpWords(['version'])).toEqual(['--version'])
  expect(await complaint('help')).toBe('')
})
