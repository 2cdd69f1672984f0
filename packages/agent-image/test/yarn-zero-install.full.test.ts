import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../src/run-program.ts'
import { managerCommand } from './corpus/managers.ts'
import { scratch } from './support/images.ts'
import { build, write } from './support/node-agents.ts'

const SETTINGS = 'enableGlobalCache: false\nenableTelemetry: false\n'

it.each(['pnp', 'node-modules'])(
  'installs committed archives without a network: %s',
  async (linker) => {
    await using place = await scratch()
    const folder = join(place.folder, 'agent')
    const packageManager = 'yarn@4.12.0'
    const settings = `${SETTINGS}nodeLinker: ${linker}\n`
    await write(folder, {
      'package.json': {
        name: 'agent',
        packageManager,
        main: 'dist/index.js',
        scripts: { build: 'tsc' },
        dependencies: { ms: '2.1.3' },
        devDependencies: { typescript: '5.9.3' },
      },
      'tsconfig.json': {
        compilerOptions: { outDir: 'dist', module: 'commonjs' },
        include: ['src'],
      },
      'src/index.ts': 'console.log(1)',
      '.yarnrc.yml': settings,
    })
    const [program = '', ...args] = await managerCommand(packageManager)
    const install = { folder, missing: 'npm is missing', environment: { ...process.env, CI: '' } }
    await runProgram(program, [...args, 'install'], install)
    // Yarn's own cache of this user is elsewhere, and no registry answers.
    const home = join(place.folder, 'home')
    await write(home, { '.yarnrc.yml': SETTINGS })
    await writeFile(
      join(folder, '.yarnrc.yml'),
      `${settings}npmRegistryServer: http://127.0.0.1:1\nunsafeHttpWhitelist: [127.0.0.1]\n`,
    )
    const cache = join(place.folder, 'cache')
    await cp(
      join(process.env['HOME'] ?? '', '.cache/slipway/images/managers'),
      join(cache, 'managers'),
      {
        recursive: true,
        verbatimSymlinks: true,
      },
    )
    const environment = { PATH: process.env['PATH'], HOME: home }
    const { tree } = await build(folder, cache, environment)
    expect(tree.has('app/dist/index.js')).toBe(true)
    const archives = [...tree.keys()].filter((path) => path.endsWith('.zip'))
    const isPlugAndPlay = linker === 'pnp'
    expect(archives.map((path) => path.replace(/-npm-.*/, ''))).toEqual(
      isPlugAndPlay ? ['app/.yarn/cache/ms'] : [],
    )
    expect(tree.has('app/node_modules/ms/index.js')).toBe(!isPlugAndPlay)
  },
)
