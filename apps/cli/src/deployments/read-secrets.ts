import { readFile } from 'node:fs/promises'

import type { Cli } from '../command/cli.ts'
import { CliError, usageError } from '../errors/cli-error.ts'
import { parseSecrets } from './parse-secrets.ts'

/** More than the API takes. */
const MAX_BYTES = 8 * 1024 * 1024

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
  const text = path === '-' ? await readInput(cli, option) : await readWhole(path, option)
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

async function readWhole(path: string, option: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw usageError(`${option} ${path} can't be read: ${(error as Error).message}`)
  }
}

async function readInput({ stdin }: Cli, option: string): Promise<string> {
  if (stdin.isTTY === true)
    throw usageError(
      `${option} - reads standard input, which is the terminal`,
      'leave it out to be asked for the credentials, or use a pipe',
    )
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MAX_BYTES) throw usageError(`standard input has more than ${MAX_BYTES} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
