import { readFileSync } from 'node:fs'

/** The version of Slipway that runs: that of the checkout, which its images have, too. */
export const VERSION = readVersion()

function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
