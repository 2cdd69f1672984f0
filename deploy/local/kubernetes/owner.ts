import { chownSync } from 'node:fs'
import type { Stack } from '../stack/stack.ts'

/** Makes the caller of sudo the owner of a file that root has created. */
export function giveToOwner(stack: Pick<Stack, 'owner'>, file: string): void {
  if (stack.owner) chownSync(file, stack.owner.uid, stack.owner.gid)
}
