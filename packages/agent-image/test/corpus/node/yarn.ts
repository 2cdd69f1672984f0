import type { CorpusProject } from '../corpus-project.ts'
import { patchOfIsOdd, serve, serveModule } from './serve.ts'

const BY_YARN_1 = {
  run: 'full',
  language: 'node',
  manager: 'yarn@1.22.22',
  lock: ['install', '--ignore-scripts', '--non-interactive'],
  install: [['install', '--production', '--frozen-lockfile', '--non-interactive']],
} as const

const BY_YARN = {
  run: 'full',
  language: 'node',
  manager: 'yarn@4.12.0',
  lock: ['install', '--mode=update-lockfile'],
  install: [['workspaces', 'focus', '--production']],
  environment: { YARN_ENABLE_TELEMETRY: '0' },
} as const
/** Its packages are in the project, because an image has no other cache. */
const BY_PLUG_AND_PLAY = {
  ...BY_YARN,
  environment: { ...BY_YARN.environment, YARN_ENABLE_GLOBAL_CACHE: 'false' },
} as const
const packageManager = BY_YARN.manager

/** Projects whose manager is Yarn. */
export const yarnProjects: readonly CorpusProject[] = [
  {
    ...BY_YARN_1,
    name: 'yarn-classic',
    run: 'gate',
    files: {
      'package.json': {
        main: 'index.js',
        dependencies: { 'is-odd': '3.0.1', semver: '^7.7.0' },
        devDependencies: { typescript: '^5.9.0' },
        resolutions: { 'is-number': '7.0.0' },
      },
      'index.js': serve(`require('is-number/package.json').version + require('is-odd')(3)`),
    },
    answer: '7.0.0true',
  },
  {
    ...BY_YARN_1,
    name: 'yarn-classic-workspace',
    folder: 'packages/agent',
    files: {
      'package.json': { private: true, workspaces: { packages: ['packages/*'] } },
      'packages/agent/package.json': {
        name: 'agent',
        version: '1.0.0',
        scripts: { start: 'node index.js' },
        dependencies: { '@team/words': '1.0.0', ms: '2.1.3' },
      },
      'packages/agent/index.js': serve(`require('@team/words') + require('ms')(1000)`),
      'packages/words/package.json': {
        name: '@team/words',
        version: '1.0.0',
        dependencies: { ms: '2.0.0' },
      },
      'packages/words/index.js': `module.exports = require('ms/package.json').version`,
    },
    answer: '2.0.01s',
  },
  {
    ...BY_YARN_1,
    name: 'yarn-classic-built',
    files: {
      'package.json': {
        main: 'build/index.js',
        scripts: {
          build: 'esbuild src/index.ts --bundle --platform=node --outfile=build/index.js',
        },
        dependencies: { ms: '2.1.3' },
        devDependencies: { esbuild: '0.25.12', '@types/node': '^24.0.0' },
      },
      '.gitignore': 'build\n',
      'src/index.ts': serveModule(`import ms from 'ms'`, `ms(5000)`),
    },
    answer: '5s',
  },
  {
    ...BY_YARN,
    name: 'yarn-node-modules',
    run: 'long',
    files: {
      '.yarnrc.yml': 'nodeLinker: node-modules\n',
      'package.json': {
        version: '1.0.0',
        packageManager,
        main: 'index.js',
        dependencies: { semver: '^7.7.0', old: 'npm:ms@2.0.0' },
        devDependencies: { typescript: '^5.9.0' },
      },
      'index.js': serve(`require('semver').inc('1.2.3', 'patch') + require('old')(1000)`),
    },
    answer: '1.2.41s',
  },
  {
    ...BY_PLUG_AND_PLAY,
    name: 'yarn-pnp',
    run: 'gate',
    files: {
      '.yarnrc.yml': 'nodeLinker: pnp\n',
      'package.json': {
        packageManager,
        main: 'index.js',
        dependencies: { semver: '^7.7.0' },
        devDependencies: { ms: '2.1.3' },
      },
      'index.js': serve(`require('semver').inc('1.2.3', 'patch')`),
    },
    answer: '1.2.4',
  },
  {
    ...BY_PLUG_AND_PLAY,
    name: 'yarn-pnp-workspace',
    mayDiffer: [[/^\.yarn\/cache\/is-odd-npm-/, 'Node.js reads the archive that is patched']],
    folder: 'apps/agent',
    install: [['workspaces', 'focus', 'agent', '--production']],
    files: {
      'package.json': {
        name: 'root',
        packageManager,
        private: true,
        workspaces: ['apps/*', 'packages/*'],
      },
      'apps/agent/package.json': {
        name: 'agent',
        type: 'module',
        main: 'main.js',
        dependencies: {
          words: 'workspace:^',
          'is-odd': 'patch:is-odd@npm%3A3.0.1#~/patches/is-odd.patch',
        },
      },
      'patches/is-odd.patch': patchOfIsOdd(),
      'apps/agent/main.js': serveModule(
        `import isOdd from 'is-odd'\nimport { plural } from 'words'`,
        `isOdd(3) + plural('agent')`,
      ),
      'packages/words/package.json': {
        name: 'words',
        version: '1.0.0',
        type: 'module',
        exports: './index.js',
        dependencies: { pluralize: '8.0.0' },
      },
      'packages/words/index.js':
        `import pluralize from 'pluralize'\n` + 'export const plural = (word) => pluralize(word)\n',
    },
    answer: 'patched trueagents',
  },
  {
    ...BY_PLUG_AND_PLAY,
    name: 'yarn-pnp-built',
    files: {
      '.yarnrc.yml': 'nodeLinker: pnp\n',
      'package.json': {
        packageManager,
        main: 'dist/main.js',
        scripts: { build: 'tsc' },
        dependencies: { ms: '2.1.3' },
        devDependencies: { '@types/ms': '2.1.0', '@types/node': '^24.0.0', typescript: '5.9.3' },
      },
      'tsconfig.json': {
        compilerOptions: {
          outDir: 'dist',
          module: 'commonjs',
          target: 'es2023',
          types: ['node'],
          strict: true,
          esModuleInterop: true,
        },
        include: ['src'],
      },
      '.gitignore': 'dist\n',
      'src/main.ts': serveModule(`import ms from 'ms'`, `ms(9000)`).replace(
        'error?.stack ?? error',
        'error',
      ),
    },
    answer: '9s',
  },
  {
    ...BY_YARN,
    name: 'yarn-pnpm-linker',
    // Yarn makes hard links to this folder, which must be on the same file system.
    environment: { ...BY_YARN.environment, YARN_GLOBAL_FOLDER: '../yarn-global' },
    files: {
      '.yarnrc.yml': 'nodeLinker: pnpm\n',
      'package.json': {
        version: '1.0.0',
        packageManager,
        main: 'index.js',
        dependencies: { 'is-odd': '3.0.1' },
      },
      'index.js': serve(`require('is-odd')(3)`),
    },
    answer: 'true',
  },
  {
    ...BY_PLUG_AND_PLAY,
    name: 'yarn-pnp-native',
    mayDiffer: [[/^\.yarn\/cache\/@?esbuild-/, 'Node.js reads what is unplugged']],
    files: {
      'package.json': {
        packageManager,
        type: 'module',
        main: 'index.js',
        dependencies: { esbuild: '0.25.12' },
      },
      'index.js': serveModule(
        `import { transformSync } from 'esbuild'`,
        `transformSync('let a: number = 1', { loader: 'ts' }).code`,
      ),
    },
    answer: 'let a = 1',
  },
  {
    ...BY_YARN,
    name: 'yarn-three',
    manager: 'yarn@3.8.7',
    environment: { ...BY_YARN.environment, YARN_ENABLE_GLOBAL_CACHE: 'true' },
    install: [['install']],
    mayDiffer: [
      [
        /node_modules\/(\.bin|semver|\.yarn-state\.yml)(\/|$)/,
        "Yarn 3 can't leave out development",
      ],
    ],
    files: {
      '.yarnrc.yml': 'nodeLinker: node-modules\n',
      'package.json': {
        version: '1.0.0',
        packageManager: 'yarn@3.8.7',
        main: 'index.js',
        dependencies: { ms: '2.1.3' },
        devDependencies: { semver: '7.7.3' },
      },
      'index.js': serve(
        `require('ms')(7000) + require('node:fs').existsSync('node_modules/semver')`,
      ),
    },
    answer: '7sfalse',
  },
]
