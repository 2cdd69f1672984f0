import { chmodSync, copyFileSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orderEntries, type Entry } from '@slipway/agent-image/parts'

/**
 * Writes entries below a folder, with their modes. They belong to the caller. Synchronous calls
 * take a tenth of the time for thousands of small files.
 */
export function writeEntries(folder: string, entries: readonly Entry[]): void {
  for (const entry of orderEntries(entries)) {
    const path = join(folder, entry.path)
    if (entry.type === 'directory') mkdirSync(path, { recursive: true })
    else if (entry.type === 'symlink') symlinkSync(entry.target, path)
    else if (entry.type === 'hardlink') linkSync(join(folder, entry.target), path)
    else if (Buffer.isBuffer(entry.content)) writeFileSync(path, entry.content)
    else copyFileSync(entry.content.file, path)
    if (entry.type === 'directory' || entry.type === 'file') chmodSync(path, entry.mode)
  }
}
