import { approve } from '@slipway/identity-provider/device-login'

import type { User } from './api.ts'
import type { Terminal } from './terminal.ts'

/** Signs a user in as they would: in a browser, with the code that the terminal shows. */
export async function approveSignIn(terminal: Terminal, user: User = 'alice'): Promise<void> {
  await terminal.shows(/enter the code [A-Z]{4}-[A-Z]{4}/)
  const [, page = '', code = ''] =
    /Open (\S+) and enter the code (\S+)/.exec(terminal.unwrapped) ?? []
  await approve(page, code, user)
}
