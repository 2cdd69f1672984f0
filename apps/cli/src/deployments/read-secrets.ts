import type { Cli } from '../command/cli.ts'
import { readInput } from '../command/read-input.ts'
import { CliError } from '../errors/cli-error.ts'
import { parseSecrets } from './parse-secrets.ts'

/** Where credentials are read from. Arguments are not among them: other users can see them. */
export interface SecretSources {
  readonly envFile?: string
  readonly secretsFrom?: string
}

/** Reads the credentials of both sources. Those of `--secrets-from` have precedence. */
export async function readSecrets(
  cli: Cli,
  { envFile, secretsFrom }: SecretSources,
): Promise<Readonly<Record<string, string>>> {
  const ofFile = envFile === undefined ? {} : await read(cli, '--env-file', envFile)
  const ofOther = secretsFrom === undefined ? {} : await read(cli, '--secrets-from', secretsFrom)
  return { ...ofFile, ...ofOther }
}

async function read(
  cli: Cli,
  option: string,
  path: string,
): Promise<Readonly<Record<string, string>>> {
  const name = path === '-' ? 'standard input' : path
  const instead = 'leave it out to be asked for the credentials, or use a pipe'
  const text = await readInput(cli, { option, path, instead })
  try {
    return parseSecrets(text)
  } catch (error) {
    throw new CliError(`the credentials in ${name} can't be read`, {
      code: 'unreadable_credentials',
      why: (error as Error).message,
      next: 'write one NAME=VALUE a line, or a JSON object with texts',
    })
  }
}
