import { RegistryError } from '@slipway/agent-image'

import { CliError } from '../errors/cli-error.ts'

/** Runs a build or a push. Its errors say what failed, and what to do. */
export async function explainedBuild<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError') throw error
    if (error instanceof RegistryError) {
      const { problem, remedy, cause } = error
      const message = error.message.replace(`; ${remedy}`, '')
      throw new CliError(message, { code: `registry_${problem}`, next: remedy, cause })
    }
    throw new CliError(error.message, { code: 'build_failed', cause: error })
  }
}
