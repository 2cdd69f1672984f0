import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { approveSignIn } from '../../support/approve-sign-in.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { Terminal } from '../../support/terminal.ts'

const SOURCE = resolve(import.meta.dirname, '../../../apps/cli/src/main.ts')

/** Unlocks a new keyring, as a sign-in to a desktop does, then runs the commands. */
const SCRIPT = `
printf password | gnome-keyring-daemon --unlock --components=secrets >unlocked 2>&1
slipway() { "$NODE" "$SOURCE" "$@"; }
slipway login "$SERVER" --no-browser && slipway auth status && slipway logout
slipway whoami
echo "ended with $?"
`

test('keeps tokens in the keyring of a desktop, and in no file', async () => {
  await using visitor = await CommandLine.open()
  const { home } = visitor
  const env = {
    HOME: home,
    XDG_RUNTIME_DIR: home,
    PATH: process.env['PATH'] ?? '',
    TERM: 'xterm-256color',
    NODE: process.execPath,
    SOURCE,
    SERVER: fromStack('SLIPWAY_URL'),
  }
  const command = ['dbus-run-session', '--', 'sh', '-c', SCRIPT]
  using terminal = Terminal.run(command, { cwd: home, env, columns: 100, rows: 40 })
  await approveSignIn(terminal)
  expect([await terminal.ended, terminal.text]).toEqual([
    0,
    expect.stringMatching(/^token +keyring$[\s\S]*^signed out of[\s\S]*^ended with 4$/m),
  ])
  expect(terminal.text).not.toContain('warning')
  expect(await readdir(join(home, '.local/share/keyrings'))).toContain('login.keyring')
  expect(await readdir(join(home, '.config/slipway'))).toEqual(['contexts.json'])
})
