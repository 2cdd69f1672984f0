import type { LOG_LEVELS } from '../logging/logger.ts'
import { runCommand, runUntilSignalled, type RunOptions } from './run-until-signalled.ts'

/** A command of a service; `argument` follows it on the command line. */
export type Command = (argument: string) => Promise<void>

/** A service as a process, with its commands by name. */
export interface ServiceOptions<Config> extends RunOptions<Config> {
  readonly commands: Readonly<Record<string, Command>>
}

/**
 * Runs what the command line names: one of the commands, or without a name the service. Exits with
 * code 2 for an unknown command.
 */
export async function runService<Config extends { readonly logLevel: (typeof LOG_LEVELS)[number] }>(
  options: ServiceOptions<Config>,
): Promise<void> {
  const [name = '', argument = ''] = process.argv.slice(2)
  if (name === '') return await runUntilSignalled(options)
  const { commands } = options
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return await runCommand(() => command(argument))
  const known = Object.keys(commands).join(', ')
  process.stderr.write(`unknown command "${name}": use one of ${known}, or none to serve\n`)
  process.exitCode = 2
}
