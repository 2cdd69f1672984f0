import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file atomically, unless it has this text already: kube-proxy ends when its configuration
 * file is touched.
 */
export function writeIfChanged(file: string, text: string, mode = 0o644): void {
  try {
    if (readFileSync(file, 'utf8') === text) return
  } catch {
    mkdirSync(dirname(file), { recursive: true })
  }
  writeFileSync(`${file}.new`, text, { mode })
  renameSync(`${file}.new`, file)
}
