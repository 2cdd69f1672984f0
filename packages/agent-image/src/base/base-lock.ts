import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '@slipway/agent-spec'
import { parse } from 'yaml'
import { readAgentFile } from '../agent-file.ts'
import type { Progress } from '../progress.ts'

/** The file in an agent's folder that records which base images it is built on. */
export const LOCK_FILE = 'astroai.lock'

const DIGEST = /^sha256:[0-9a-f]{64}$/
const HEADER =
  '# The base images of this agent. Commit this file: with it, the same sources give the same\n' +
  '# image everywhere. `slipway build --update-base` records what the tags have now.\n'

/** The digests of the base images that an agent's builds have recorded, by their names. */
export class BaseLock {
  readonly #folder: string
  readonly #known: Map<string, string>

  private constructor(folder: string, known: Map<string, string>) {
    this.#folder = folder
    this.#known = known
  }

  /** Reads the lock of an agent's folder. Throws if it isn't one. */
  static async open(folder: string): Promise<BaseLock> {
    const text = await readAgentFile(folder, LOCK_FILE)
    return new BaseLock(folder, text === undefined ? new Map() : parseLock(text))
  }

  /** The digest that a build has recorded for the name of an image. */
  digestOf(name: string): string | undefined {
    return this.#known.get(name)
  }

  /** Records the digest of an image. A folder that can't be written gets a warning. */
  async record(name: string, digest: string, progress: Progress): Promise<void> {
    if (this.#known.get(name) === digest) return
    this.#known.set(name, digest)
    const names = [...this.#known].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const lines = names.map(([each, recorded]) => `  ${each}: ${recorded}\n`)
    const temporary = join(this.#folder, `.${LOCK_FILE}.${randomUUID()}`)
    try {
      await writeFile(temporary, `${HEADER}bases:\n${lines.join('')}`)
      await rename(temporary, join(this.#folder, LOCK_FILE))
      progress(`recorded the digest of ${name} in ${LOCK_FILE}; commit the file`)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {})
      progress(
        `warning: ${LOCK_FILE} can't be written, so the next build may have another base: ` +
          (error as Error).message,
      )
    }
  }
}

function parseLock(text: string): Map<string, string> {
  let bases: unknown
  try {
    const content: unknown = parse(text)
    bases = isObject(content) ? content['bases'] : undefined
  } catch {
    // Reported below.
  }
  const entries = isObject(bases) ? Object.entries(bases) : undefined
  if (entries?.every(([, digest]) => typeof digest === 'string' && DIGEST.test(digest)) !== true)
    throw new Error(
      `${LOCK_FILE} is not valid: it must have "bases" with a digest (sha256:…) for each image; ` +
        'restore it from git, or delete it, and the next build writes it',
    )
  return new Map(entries as [string, string][])
}
