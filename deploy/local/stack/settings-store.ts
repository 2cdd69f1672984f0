import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSettings } from './settings.ts'
import type { StackSettings } from './settings.ts'
import type { Stack, StackDirectories } from './stack.ts'

/** Reads the settings of the last `up`, valid until `down`; undefined if the stack is down. */
export function readSettings(
  directories: Pick<StackDirectories, 'runDir'>,
): StackSettings | undefined {
  let text: string
  try {
    text = readFileSync(settingsFile(directories), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return { ...defaultSettings, ...(JSON.parse(text) as StackSettings) }
}

/**
 * Stores the settings for `status`, `down` and the next `up`. Only the owner may read them: URLs of
 * replaced parts can hold passwords.
 */
export function writeSettings(stack: Pick<Stack, 'runDir' | 'owner' | 'settings'>): void {
  const file = settingsFile(stack)
  writeFileSync(`${file}.new`, JSON.stringify(stack.settings), { mode: 0o600 })
  if (stack.owner) chownSync(`${file}.new`, stack.owner.uid, stack.owner.gid)
  renameSync(`${file}.new`, file)
}

/** Returns the stack in these directories with these settings. */
export function makeStack(directories: StackDirectories, settings: StackSettings): Stack {
  return { ...directories, settings, internet: settings.internet, env: new Map() }
}

function settingsFile(directories: Pick<StackDirectories, 'runDir'>): string {
  return join(directories.runDir, 'settings.json')
}
