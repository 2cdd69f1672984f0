import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeImageLayout, type Image, type Pushable } from '@slipway/images'
import { runCommand } from '../process/run-command.ts'
import type { Stack } from '../stack/stack.ts'
import { buildTool } from './toolchain.ts'

type Place = Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>

interface PushOptions {
  /** Allows plain HTTP. */
  readonly insecure?: boolean
  readonly log: (line: string) => void
}

/**
 * Pushes an image to any registry with the caller's credentials for docker or podman. `target` is
 * the image's full name with a tag. Returns the name with the digest.
 */
export async function pushPlatformImage(
  place: Place,
  image: Image,
  target: string,
  options: PushOptions,
): Promise<string> {
  return await pushWithCredentials(place, { image }, target, options)
}

/** Like pushPlatformImage, also for an archive that a container engine has written. */
export async function pushWithCredentials(
  place: Place,
  pushable: Pushable,
  target: string,
  { insecure = false, log }: PushOptions,
): Promise<string> {
  const crane = join(await buildTool(place, 'crane', log), 'crane')
  const folder = await mkdtemp(join(place.cacheDir, 'pushing-'))
  try {
    if ('image' in pushable) await writeImageLayout(folder, pushable.image)
    const source = 'image' in pushable ? folder : pushable.archive
    const flags = insecure ? ['--insecure'] : []
    return (await runCommand(crane, ['push', ...flags, source, target])).trim()
  } finally {
    await rm(folder, { recursive: true })
  }
}
