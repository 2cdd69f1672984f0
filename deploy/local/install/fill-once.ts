import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withFileLock } from '../process/file-lock.ts'
import { ensureDirectory, type StackDirectories } from '../stack/stack.ts'

/** What a folder of the user's cache gets. */
export interface Filling {
  /** What is installed, for the message while another run does it. */
  readonly what: string
  readonly progress: (line: string) => void
  /** Fills a draft next to the folder. Returns the draft, or a folder in it, which is renamed. */
  readonly fill: (draft: string) => Promise<string>
}

/** Fills a folder of the user's cache unless it exists. It is never there with only a part. */
export async function fillOnce(
  place: Pick<StackDirectories, 'owner'>,
  folder: string,
  { what, progress, fill }: Filling,
): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  ensureDirectory(place, parent, 0o755)
  const waiting = () => progress(`waiting for another run to install ${what}`)
  await withFileLock(join(parent, '.lock'), waiting, async () => {
    if (existsSync(folder)) return
    const draft = mkdtempSync(join(parent, '.unpacking-'))
    try {
      renameSync(await fill(draft), folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  })
}
