import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readRecording } from './recording-file.ts'
import type { Recording } from './recording.ts'

const FOLDER = join(import.meta.dirname, '../../../../test/recordings')

/** Reads the recordings of `test/recordings`, or of one sender, in the order of their names. */
export function readRecordings(sender = '*'): Recording[] {
  return globSync(`${sender}/*.json`, { cwd: FOLDER })
    .filter((path) => !path.startsWith('make/'))
    .toSorted()
    .map((path) =>
      readRecording(path.replace(/\.json$/, ''), readFileSync(join(FOLDER, path), 'utf8')),
    )
}
