import { table, type Block } from '../../output/blocks.ts'
import type { OneStatus } from './types.ts'

/** A line for each change of a deployment. */
export function viewChanges({ changes }: OneStatus): readonly Block[] {
  if (changes.length === 0) return []
  const rows = changes.map((each) => [each.time, each.object, each.text])
  return [table({ columns: [], rows, empty: '' })]
}
