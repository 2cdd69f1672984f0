import { RegistryError } from '@slipway/agent-image'

import { interruption } from '../command/interruption.ts'
import { CliError } from '../errors/cli-error.ts'

/**
 * Runs a build or a push. Its errors say what failed, and what to do. After Ctrl-C, they say what
 * `left` does: what the registry and the server have.
 */
export async function explainedBuild<Result>(
  work: () => Promise<Result>,
  left: string,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof CliError) throw error
    if (error.name === 'AbortError') throw interruption(left)
    if (error instanceof RegistryError) {
      const { problem, remedy, cause } = error
      const message = error.message.replace(`; ${remedy}`, '')
      throw new CliError(message, { code: `registry_${problem}`, next: remedy, cause })
    }
    throw new CliError(error.message, { code: 'build_failed', cause: error })
  }
}
