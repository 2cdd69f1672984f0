import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../src/run-program.ts'
import { managerCommand } from './corpus/managers.ts'
import { scratch } from './support/images.ts'
import { build, write } from './support/node-agents.ts'

it.each([
  ['pnp', [true, false, false]],
  ['node-modules', [true, false, false]],
  // It notes the folder in which it has installed.
  ['pnpm', [true, true, true]],
])('runs only the build script if a source has changed: %s', async (nodeLinker, expected) => {
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  const packageManager = 'yarn@4.12.0'
  await write(folder, {
    'package.json': {
      name: 'agent',
      packageManager,
      main: 'dist/index.js',
      scripts: { build: 'tsc' },
      dependencies: { ms: '2.1.3' },
      devDependencies: { esbuild: '0.25.12', typescript: '5.9.3' },
    },
    'tsconfig.json': { compilerOptions: { outDir: 'dist', module: 'commonjs' }, include: ['src'] },
    '.yarnrc.yml': `nodeLinker: ${nodeLinker}\n`,
  })
  const [program = '', ...args] = await managerCommand(packageManager)
  await runProgram(program, [...args, 'install', '--mode=update-lockfile'], {
    folder,
    missing: 'npm is missing',
    environment: { ...process.env, CI: '' },
  })
  const cache = join(place.folder, 'cache')
  const installs: boolean[] = []
  for (const text of ['first', 'second', 'third']) {
    await write(folder, { 'src/index.ts': `console.log('${text}')` })
    const { said, tree } = await build(folder, cache, process.env)
    expect(tree.get('app/dist/index.js')).toContain(text)
    expect(said).toContain('running the build script of agent')
    installs.push(said.some((line) => line.startsWith('installing what the build needs')))
  }
  expect(installs).toEqual(expected)
})
