import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { scratch } from './support/images.ts'
import { build, write } from './support/node-agents.ts'

const NODE = process.versions.node

test('installs and builds with the Node.js of the image', async () => {
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  await write(folder, {
    'package.json': {
      name: 'agent',
      main: 'index.js',
      files: ['index.js', 'installed.txt', 'built.txt'],
      scripts: { postinstall: 'node -v > installed.txt', build: 'node -v > built.txt' },
    },
    'index.js': '1',
  })
  await promisify(execFile)('npm', ['install', '--package-lock-only'], { cwd: folder })
  const cache = join(place.folder, 'cache')
  const { said, tree } = await build(folder, cache, process.env, { nodeVersion: '22.11.0' })
  expect(said.join('\n')).toContain(
    `bringing node 22.11.0 from npm, because the image has it, and here is ${NODE}`,
  )
  expect(tree.get('app/installed.txt')).toBe('v22.11.0\n')
})
