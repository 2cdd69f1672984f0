import { readFile } from 'node:fs/promises'

declare const SLIPWAY_VERSION: string | undefined

/** The version that the published package has built in. Undefined for a run from the sources. */
export const builtInVersion: string | undefined =
  typeof SLIPWAY_VERSION === 'string' ? SLIPWAY_VERSION : undefined

/** The version of the command line. */
export async function currentVersion(): Promise<string> {
  if (builtInVersion !== undefined) return builtInVersion
  const manifest = await readFile(new URL('../../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
