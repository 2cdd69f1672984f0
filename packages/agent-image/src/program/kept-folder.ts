import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Fills a folder that builds keep, unless one has. It appears whole or not at all: `fill` writes to
 * a draft next to it.
 */
export async function keptFolder(
  folder: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(join(dirname(folder), '.draft-'))
  try {
    await fill(draft)
    await rename(draft, folder).catch((error: unknown) => {
      // Another build was faster.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
