import { chownSync } from 'node:fs'
import type { Stack } from '../stack/stack.ts'

/** Makes the user who called sudo the owner of a file that root created. */
export function giveToOwner(stack: Pick<Stack, 'owner'>, file: string): void {
  if (stack.owner) chownSync(file, stack.owner.uid, stack.owner.gid)
}
