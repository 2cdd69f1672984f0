import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readManifest } from '@slipway/agent-image/parts'

const run = promisify(execFile)

/** What the labels of a checkout's images have in common. */
export interface Release {
  readonly version: string
  readonly license: string
  /** The commit that has exactly these sources; undefined outside a clean Git checkout. */
  readonly revision: string | undefined
}

/** Reads the version from the checkout's package.json, and the revision from Git. */
export async function readRelease(checkout: string): Promise<Release> {
  const { version, license } = await readManifest(checkout)
  return { version, license: String(license), revision: await revisionOf(checkout) }
}

/** Returns the labels of an image, as the OCI image specification names them. */
export function imageLabels(
  release: Release,
  image: { readonly title: string; readonly description: string },
): Record<string, string> {
  const name = 'org.opencontainers.image'
  return {
    [`${name}.title`]: image.title,
    [`${name}.description`]: image.description,
    [`${name}.version`]: release.version,
    [`${name}.licenses`]: release.license,
    ...(release.revision !== undefined && { [`${name}.revision`]: release.revision }),
  }
}

async function revisionOf(checkout: string): Promise<string | undefined> {
  try {
    const git = async (...args: string[]) =>
      (await run('git', ['-C', checkout, ...args], { encoding: 'utf8' })).stdout.trim()
    if ((await git('status', '--porcelain')) !== '') return undefined
    return await git('rev-parse', 'HEAD')
  } catch {
    // Not a Git checkout, for example an unpacked release.
    return undefined
  }
}
