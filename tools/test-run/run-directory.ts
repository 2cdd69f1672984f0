import { chmodSync, chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StackDirectories } from '@slipway/local/stack/stack'

/**
 * Creates a directory for one test run; under sudo it belongs to the caller, who runs the tests.
 */
export function runDirectory({ owner }: Pick<StackDirectories, 'owner'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-test-'))
  chmodSync(directory, 0o755)
  if (owner) chownSync(directory, owner.uid, owner.gid)
  return directory
}
