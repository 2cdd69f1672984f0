import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { askSecret, choose, confirm } from './ask.ts'
import { Cli } from './cli.ts'

const HOSTILE = 'a\u001b]0;x\u0007\u009b2J\u202eb'

/** The answer to a question, and what was shown for it. */
async function asked<Answer>(ask: (cli: Cli) => Promise<Answer>) {
  const terminal = { isTTY: true, setRawMode() {} }
  const [stdin, stderr] = [Object.assign(new PassThrough(), terminal), new PassThrough()]
  const shown = stderr.setEncoding('utf8').toArray()
  const cli = new Cli(
    {
      process: {
        stdin,
        stdout: stderr,
        stderr: Object.assign(stderr, { isTTY: true, columns: 80, rows: 24 }),
        env: { NO_COLOR: '1' },
      },
      signal: new AbortController().signal,
      exit() {},
    },
    { json: false, quiet: false, verbose: false },
  )
  stderr.once('data', () => stdin.write('\r'))
  const answer = await ask(cli)
  stderr.end()
  return { answer, shown: (await shown).join('') }
}

test.each([
  ['a choice', 'v', (cli: Cli) => choose(cli, HOSTILE, [{ value: 'v', label: HOSTILE }])],
  ['a question', false, (cli: Cli) => confirm(cli, HOSTILE)],
  ['a secret', '', (cli: Cli) => askSecret(cli, HOSTILE, '')],
])('text of others in %s changes nothing on a terminal', async (_what, expected, ask) => {
  const { answer, shown } = await asked<unknown>(ask)
  expect(answer).toBe(expected)
  expect(shown).toContain('ab')
  for (const hostile of ['\u001b]', '\u0007', '\u009b', '\u202e'])
    expect(shown).not.toContain(hostile)
})
