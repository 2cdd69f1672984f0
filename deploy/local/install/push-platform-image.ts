import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeImageLayout, type Image } from '@slipway/images'
import { runCommand } from '../process/run-command.ts'
import type { Stack } from '../stack/stack.ts'
import { buildTool } from './toolchain.ts'

/**
 * Pushes an image to any registry with the caller's credentials for docker or podman. `target` is
 * the image's full name with a tag; `insecure` allows plain HTTP. Returns the name with the digest.
 */
export async function pushPlatformImage(
  place: Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>,
  image: Image,
  target: string,
  options: { readonly insecure?: boolean; readonly log: (line: string) => void },
): Promise<string> {
  const crane = join(await buildTool(place, 'crane', options.log), 'crane')
  const folder = await mkdtemp(join(place.cacheDir, 'pushing-'))
  try {
    await writeImageLayout(folder, image)
    const flags = options.insecure ? ['--insecure'] : []
    const output = await runCommand(crane, ['push', ...flags, folder, target])
    return output.trim()
  } finally {
    await rm(folder, { recursive: true })
  }
}
