import type { Cli } from './cli.ts'

/** Prints with `--verbose` what the keyring's library said. */
export function sayKeyringDetail({ flags, tokens, printer }: Cli): void {
  const { keyringDetail: detail } = tokens
  if (flags.verbose && detail !== undefined) printer.error(`keyring: ${detail}`, 'faint')
}
