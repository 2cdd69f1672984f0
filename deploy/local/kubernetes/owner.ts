import { chownSync } from 'node:fs'
import type { Stack } from '../stack/stack.ts'

/** Under sudo, lets the caller have a file that root has made. */
export function giveToOwner(stack: Pick<Stack, 'owner'>, file: string): void {
  if (stack.owner) chownSync(file, stack.owner.uid, stack.owner.gid)
}
