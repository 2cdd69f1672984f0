import type { Implementation } from '../../command/implementation.ts'
import { lines } from '../../output/blocks.ts'
import { scripts } from './scripts.ts'
import type { Completion, Shell } from './shells.ts'

export const completion: Implementation<object, [shell: Shell], Completion> = {
  run: (_cli, _flags, shell) => Promise.resolve({ shell, script: scripts[shell] }),
  view: ({ script }) => [lines(...script.trimEnd().split('\n'))],
}
