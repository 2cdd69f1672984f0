import { readFile } from 'node:fs/promises'

declare const SLIPWAY_VERSION: string | undefined

/** The version of the command line. The published package has it built in. */
export async function currentVersion(): Promise<string> {
  if (typeof SLIPWAY_VERSION === 'string') return SLIPWAY_VERSION
  const manifest = await readFile(new URL('../../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
