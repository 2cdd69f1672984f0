import { expect, test } from 'vitest'
import { linkWarnings } from './file-checks.ts'
import { ImageTree } from './image-tree.ts'

test('warns of links that lead to nothing, but not of those of pnpm for development', () => {
  const link = (path: string, target: string) =>
    ({ path, target, type: 'symlink', mode: 0o777, uid: 0, gid: 0, size: 0 }) as const
  const files = [
    link('workspace/node_modules/.pnpm/node_modules/@repo/tsconfig', '../../../../packages/gone'),
    link('workspace/apps/agent/node_modules/@repo/core', '../../../../packages/core'),
  ]
  expect(linkWarnings(files, new ImageTree([files]))).toEqual([
    'warning: links lead to what the image does not have: ' +
      'workspace/apps/agent/node_modules/@repo/core (to ../../../../packages/core)',
  ])
})
