import { randomBytes } from 'node:crypto'
import { chownSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDirectory } from './stack.ts'
import type { Stack } from './stack.ts'

/**
 * Returns the stack's secret with this name: 32 random bytes in hex, created on first use and kept
 * in the state directory.
 */
export function stackSecret(stack: Pick<Stack, 'stateDir' | 'owner'>, name: string): string {
  const directory = join(stack.stateDir, 'secrets')
  const file = join(directory, name)
  const known = read(file)
  if (known !== undefined) return known
  ensureDirectory(stack, directory, 0o700)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
  if (stack.owner) chownSync(draft, stack.owner.uid, stack.owner.gid)
  try {
    // Linking fails if the file exists, so the first of several processes wins.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return read(file) ?? ''
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
