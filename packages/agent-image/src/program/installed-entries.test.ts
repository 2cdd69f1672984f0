import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { directoryEntry, fileEntry, symlinkEntry } from '../image/entries.ts'
import { installedEntries, requireLinksInside, variablesOf } from './installed-entries.ts'
import { readNodeProject } from './node-project.ts'

it.each(['/tmp/staging/x', '../../../x', '../../appendix/x'])('refuses a link to %s', (target) => {
  const link = symlinkEntry('app/node_modules/x', target)
  expect(() => requireLinksInside([directoryEntry('app'), link], 'app')).toThrow(
    `node_modules/x is a link to ${target}, outside of the project`,
  )
})

it('takes links within the project', () => {
  const links = ['../packages/x', './.pnpm/x', '..'].map((target, index) =>
    symlinkEntry(`app/node_modules/${index}`, target),
  )
  expect(() => requireLinksInside(links, 'app')).not.toThrow()
})

it("has the variables of Yarn's Plug'n'Play if there is one", () => {
  const pnp = fileEntry('app/.pnp.cjs', '')
  const loader = fileEntry('app/.pnp.loader.mjs', '')
  expect(variablesOf([], 'app')).toEqual({})
  expect(variablesOf([pnp], 'app')).toEqual({ NODE_OPTIONS: '--require /app/.pnp.cjs' })
  expect(variablesOf([pnp, loader], 'app')['NODE_OPTIONS']).toContain(
    '--experimental-loader file:///app/.pnp.loader.mjs',
  )
})

it("takes the archives that Plug'n'Play reads, and all files of unplugged packages", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-installed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = {
    'package.json': '{}',
    '.pnp.cjs': '"./.yarn/cache/used.zip/node_modules/used/"',
    '.yarn/cache/used.zip': '',
    '.yarn/cache/of-development.zip': '',
    '.yarn/unplugged/native/node_modules/native/data.zip': '',
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const entries = await installedEntries(folder, await readNodeProject(folder), 'app')
  const taken = entries.filter(({ type }) => type === 'file').map(({ path }) => path)
  expect(taken).toEqual([
    'app/.pnp.cjs',
    'app/.yarn/cache/used.zip',
    'app/.yarn/unplugged/native/node_modules/native/data.zip',
  ])
})
