import { ExitCode as StricliExitCode, run } from '@stricli/core'

import type { ProcessContext } from '../command/process-context.ts'
import { exitCodes } from '../errors/exit-code.ts'
import { applicationFor } from './application.ts'
import { withoutHelpWords } from './called-command.ts'

/** Runs the command line with these arguments. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const interruption = new AbortController()
  process.on('SIGINT', () => {
    // The first one lets the command end its work; the second one ends the process.
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
    interruption.abort()
  })
  // The reader of a pipe has gone, as `head` does when it has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed)
  })
  let code: number = exitCodes.ok
  const { stdin, stdout, stderr, env } = process
  if (args[0] === '__complete') {
    const { complete } = await import('./complete.ts')
    const context = {
      process: { stdin, stdout, stderr, env },
      signal: interruption.signal,
      exit() {},
    }
    const proposed = await complete(args.slice(1), context)
    // A request that is too late must not keep the process alive.
    return await new Promise(() => stdout.write(proposed, () => process.exit(exitCodes.ok)))
  }
  const ours: { exitCode?: number | string | null } & ProcessContext['process'] = {
    stdin,
    stdout,
    stderr,
    env,
  }
  const call = withoutHelpWords(args)
  await run(applicationFor(call), call, {
    process: ours as never,
    signal: interruption.signal,
    exit: (given: number) => (code = given),
  } as ProcessContext as never)
  return fromStricli(Number(ours.exitCode ?? 0)) || code
}

/** Stricli's own codes are negative. */
function fromStricli(code: number): number {
  const isUsage =
    code === StricliExitCode.UnknownCommand || code === StricliExitCode.InvalidArgument
  if (isUsage) return exitCodes.usage
  return code === StricliExitCode.Success ? exitCodes.ok : exitCodes.failed
}
