import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { orderEntries, type Entry } from '../image/entries.ts'
import { openHostFile } from '../image/host-file.ts'

/**
 * Copies entries to a new folder, and calls `work` with it. The folder is removed at the end. Files
 * keep only their executable bit, as in an image.
 */
export async function stage<Result>(
  entries: readonly Entry[],
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'slipway-staging-')))
  try {
    for (const entry of orderEntries(entries)) {
      const place = join(folder, entry.path)
      await mkdir(dirname(place), { recursive: true })
      if (entry.type === 'directory') await mkdir(place, { recursive: true })
      else if (entry.type === 'symlink') await symlink(entry.target, place)
      else if (entry.type === 'file') await writeStaged(place, entry)
    }
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeStaged(place: string, entry: Entry & { type: 'file' }): Promise<void> {
  if (Buffer.isBuffer(entry.content)) await writeFile(place, entry.content)
  else {
    await using file = await openHostFile(entry.content)
    await pipeline(file.createReadStream({ autoClose: false }), createWriteStream(place))
  }
  await chmod(place, entry.mode)
}
