import { expect } from 'vitest'

import type { User } from './api.ts'
import { approveSignIn } from './approve-sign-in.ts'
import type { CommandLine } from './command-line.ts'
import { fromStack } from './environment.ts'

/** Signs a user in as they would: in a browser, with the code that the terminal shows. */
export async function signInOnTerminal(slipway: CommandLine, user: User): Promise<string> {
  using terminal = await slipway.onTerminal(['login', fromStack('SLIPWAY_URL')])
  await approveSignIn(terminal, user)
  const exitCode = await terminal.ended
  expect({ exitCode, text: terminal.text }).toMatchObject({ exitCode: 0 })
  return terminal.text
}
