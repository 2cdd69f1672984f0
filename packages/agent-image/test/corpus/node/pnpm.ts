import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CorpusProject } from '../corpus-project.ts'
import { ALIASES, patchOfIsOdd, serve, serveModule } from './serve.ts'

/** Without it, the shims of programs name the folder in which pnpm has run. */
const SHIMS = '--config.extend-node-path=false'

const BY_PNPM = {
  run: 'full',
  language: 'node',
  manager: 'pnpm@10.30.0',
  lock: ['install', '--lockfile-only', '--ignore-scripts'],
  install: [['install', '--frozen-lockfile', '--prod', SHIMS]],
} as const
const packageManager = BY_PNPM.manager

/** In a workspace, only what the agent needs. */
const IN_WORKSPACE = [
  ['--filter={./apps/agent}...', 'install', '--frozen-lockfile', '--prod', SHIMS],
] as const

/** Projects whose manager is pnpm. */
export const pnpmProjects: readonly CorpusProject[] = [
  {
    ...BY_PNPM,
    name: 'pnpm-plain',
    run: 'long',
    files: {
      'package.json': {
        packageManager,
        main: 'index.js',
        dependencies: { semver: '^7.7.0', express: '^5.1.0' },
        devDependencies: { typescript: '^5.9.0' },
      },
      'index.js': `const app = require('express')()
app.get('/', (request, response) => response.send(require('semver').inc('1.2.3', 'major')))
app.listen(8080)
`,
    },
    answer: '2.0.0',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-workspace',
    run: 'gate',
    folder: 'apps/agent',
    install: IN_WORKSPACE,
    files: {
      'package.json': { name: 'root', private: true, packageManager },
      'pnpm-workspace.yaml':
        'packages: [apps/*, packages/*]\ncatalog: { ms: ^2.1.3 }\n' +
        'catalogs: { words: { pluralize: ^8.0.0 } }\n',
      'apps/agent/package.json': {
        name: 'agent',
        type: 'module',
        main: 'main.ts',
        dependencies: { '@team/words': 'workspace:^', ms: 'catalog:' },
        devDependencies: { '@team/tools': 'workspace:*' },
      },
      'apps/agent/main.ts': serveModule(
        `import { plural } from '@team/words'\nimport ms from 'ms'`,
        `plural('agent') + ms(1000)`,
      ),
      'packages/tools/package.json': { name: '@team/tools', version: '1.0.0' },
      'packages/words/package.json': {
        name: '@team/words',
        version: '1.2.0',
        type: 'module',
        exports: './index.ts',
        dependencies: { pluralize: 'catalog:words' },
      },
      'packages/words/index.ts': `import pluralize from 'pluralize'
export const plural = (word: string): string => pluralize(word)
`,
    },
    answer: 'agents1s',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-workspace-built',
    folder: 'apps/agent',
    install: IN_WORKSPACE,
    files: {
      'package.json': { name: 'root', private: true, packageManager },
      'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - packages/*\n',
      'tsconfig.base.json': {
        compilerOptions: {
          outDir: '${configDir}/dist',
          module: 'nodenext',
          target: 'es2023',
          types: ['node'],
          declaration: true,
        },
      },
      '.gitignore': 'dist\nnode_modules\n',
      'apps/agent/package.json': {
        name: 'agent',
        type: 'module',
        main: 'dist/main.js',
        scripts: { build: 'tsc' },
        dependencies: { '@team/words': 'workspace:*' },
        devDependencies: { typescript: '^5.9.0', '@types/node': '^24.0.0' },
      },
      'apps/agent/tsconfig.json': { extends: '../../tsconfig.base.json', include: ['main.ts'] },
      'apps/agent/main.ts': serveModule(
        `import { shout } from '@team/words'`,
        `shout('built')`,
      ).replace('error?.stack ?? error', 'error'),
      'packages/words/package.json': {
        name: '@team/words',
        version: '1.0.0',
        type: 'module',
        exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
        scripts: { build: 'tsc' },
        devDependencies: { typescript: '^5.9.0', '@types/node': '^24.0.0' },
      },
      'packages/words/tsconfig.json': {
        extends: '../../tsconfig.base.json',
        include: ['index.ts'],
      },
      'packages/words/index.ts':
        'export const shout = (text: string): string => text.toUpperCase()\n',
    },
    answer: 'BUILT',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-patched',
    files: {
      'package.json': {
        packageManager,
        main: 'index.js',
        dependencies: { 'is-odd': '3.0.1' },
      },
      'pnpm-workspace.yaml':
        'patchedDependencies:\n  is-odd@3.0.1: patches/is-odd@3.0.1.patch\n' +
        'overrides:\n  is-number: 7.0.0\n',
      'patches/is-odd@3.0.1.patch': patchOfIsOdd(),
      'index.js': serve(`require('is-odd')(3)`),
    },
    answer: 'patched true',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-aliases',
    files: {
      'package.json': {
        packageManager,
        main: 'index.js',
        dependencies: {
          'semver-old': 'npm:semver@5.7.2',
          scoped: 'npm:@sindresorhus/is@4.6.0',
          '@own/ms': 'npm:ms@2.1.3',
        },
      },
      'index.js': serve(ALIASES),
    },
    answer: '5.7.2,true,1m',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-bundled',
    files: {
      'package.json': {
        packageManager,
        main: 'index.js',
        dependencies: { outer: 'file:./outer-1.0.0.tgz' },
      },
      'index.js': serve(`JSON.stringify(require('outer'))`),
    },
    make: async (root) => {
      await copyFile(join(import.meta.dirname, 'outer-1.0.0.tgz'), join(root, 'outer-1.0.0.tgz'))
    },
    answer: 'inner',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-hoisted',
    files: {
      '.npmrc': 'node-linker=hoisted\n',
      'package.json': { packageManager, main: 'index.js', dependencies: { 'is-odd': '3.0.1' } },
      'index.js': serve(`require('is-number')(3)`),
    },
    answer: 'true',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-built-dependency',
    files: {
      'package.json': {
        packageManager,
        type: 'module',
        main: 'index.js',
        dependencies: { esbuild: '^0.25.0', lib: 'link:./lib' },
        pnpm: { onlyBuiltDependencies: ['esbuild'] },
      },
      'lib/package.json': { name: 'lib', version: '1.0.0', main: 'index.js' },
      'lib/index.js': 'module.exports = "linked"',
      'index.js': serveModule(
        `import { transformSync } from 'esbuild'\nimport lib from 'lib'`,
        `transformSync('let a: number = 1', { loader: 'ts' }).code + lib`,
      ),
    },
    answer: 'linked',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-twelve',
    manager: 'pnpm@12.21.0',
    // It would bring itself in the version that package.json names, for all platforms.
    environment: { pnpm_config_pm_on_fail: 'ignore' },
    files: {
      'package.json': {
        packageManager: 'pnpm@12.21.0',
        type: 'module',
        main: 'dist/main.js',
        scripts: { build: 'esbuild main.ts --format=esm --outdir=dist' },
        dependencies: { ms: '2.1.3' },
        devDependencies: { esbuild: '0.25.12' },
      },
      'pnpm-workspace.yaml': 'allowBuilds: { esbuild: true }\n',
      '.gitignore': 'dist\n',
      'main.ts': serveModule(`import ms from 'ms'`, `ms(4000 as number)`),
    },
    answer: '4s',
  },
  {
    ...BY_PNPM,
    name: 'pnpm-nine-without-name',
    manager: 'pnpm@9.15.9',
    files: {
      'package.json': { main: 'index.js', dependencies: { 'is-odd': '3.0.1' } },
      'index.js': serve(`require('is-odd')(3)`),
    },
    answer: 'true',
  },
]
