import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from './support/images.ts'
import { build, NATIVE_PACKAGE, write } from './support/node-agents.ts'
import { startNpmRegistry } from './support/npm-registry.ts'

test('refuses native code for another Node.js than the image has', async () => {
  await using registry = await startNpmRegistry(NATIVE_PACKAGE)
  await using place = await scratch()
  const { url, token } = registry
  const environment = { PATH: process.env['PATH'], HOME: place.folder }
  const login = `${url.slice('http:'.length)}:_authToken=${token}`
  await write(place.folder, { '.npmrc': `registry=${url}\n${login}\n` })
  const folder = join(place.folder, 'agent')
  const buildWith = async (version: string) => {
    await write(folder, {
      'package.json': { main: 'index.js', dependencies: { native: version } },
      'index.js': 'require("native/addon.node")',
    })
    const cache = join(place.folder, `cache-${version}`)
    return await build(folder, cache, environment, { nodeVersion: '22.11.0' })
  }
  await expect(buildWith('1.0.0')).rejects.toThrow(
    'the native code of native is for Node.js 24, and the image has Node.js 22; build with that ' +
      'Node.js, or name an image with the same major version with --base',
  )
  const { said, tree } = await buildWith('2.0.0')
  expect(said.join('\n')).toContain("warning: can't bring Node.js 22.11.0")
  expect([...tree.keys()]).toContain('app/node_modules/native/addon.node')
})
