import type { CorpusProject } from '../corpus-project.ts'
import { ALIASES, patchOfIsOdd, serve, serveModule } from './serve.ts'

/** What npm is called with in most projects. */
export const BY_NPM = {
  run: 'full',
  language: 'node',
  manager: 'npm',
  lock: ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'],
  install: [['ci', '--omit=dev', '--no-audit', '--no-fund']],
} as const

/** Projects whose manager is npm, with all kinds of dependencies. */
export const npmProjects: readonly CorpusProject[] = [
  {
    ...BY_NPM,
    name: 'npm-plain',
    run: 'gate',
    files: {
      'package.json': {
        main: 'index.js',
        dependencies: { semver: '^7.7.0' },
        devDependencies: { 'is-odd': '^3.0.0' },
      },
      'index.js': serve(`require('semver').inc('1.2.3', 'minor')`),
    },
    answer: '1.3.0',
  },
  {
    ...BY_NPM,
    name: 'npm-typescript',
    run: 'long',
    files: {
      'package.json': {
        type: 'module',
        main: 'dist/main.js',
        scripts: { build: 'tsc' },
        dependencies: { ms: '^2.1.3' },
        devDependencies: { typescript: '^5.9.0', '@types/node': '^24.0.0', '@types/ms': '^2.1.0' },
      },
      'tsconfig.json': {
        compilerOptions: {
          outDir: 'dist',
          rootDir: 'src',
          module: 'nodenext',
          target: 'es2023',
          types: ['node'],
          strict: true,
          esModuleInterop: true,
        },
      },
      '.gitignore': 'dist\nnode_modules\n',
      'src/main.ts': serveModule(
        `import ms from 'ms'\nimport { days } from './days.js'`,
        `ms(days(2) as number)`,
      ).replace('error?.stack ?? error', 'error'),
      'src/days.ts':
        'export enum Unit { Day = 86_400_000 }\n' +
        'export const days = (count: number): number => count * Unit.Day\n',
    },
    answer: '2d',
  },
  {
    ...BY_NPM,
    name: 'npm-workspace',
    run: 'long',
    folder: 'apps/agent',
    install: [['ci', '--omit=dev', '--no-audit', '--no-fund', '--workspace=apps/agent']],
    files: {
      'package.json': {
        name: 'root',
        private: true,
        workspaces: ['apps/*', 'packages/*'],
        devDependencies: { 'is-odd': '^3.0.0' },
      },
      'apps/agent/package.json': {
        name: 'agent',
        type: 'module',
        main: 'main.ts',
        dependencies: { '@team/words': '^1.0.0', ms: '^2.1.3' },
      },
      'apps/agent/main.ts': serveModule(
        `import { plural } from '@team/words'\nimport ms from 'ms'`,
        `plural('agent') + ms(1000)`,
      ),
      'apps/other/package.json': { name: 'other', dependencies: { 'left-pad': '1.3.0' } },
      'packages/words/package.json': {
        name: '@team/words',
        version: '1.2.0',
        type: 'module',
        exports: './index.ts',
        dependencies: { pluralize: '^8.0.0' },
      },
      'packages/words/index.ts': `import pluralize from 'pluralize'
export const plural = (word: string): string => pluralize(word)
`,
    },
    answer: 'agents1s',
  },
  {
    ...BY_NPM,
    name: 'npm-native',
    files: {
      'package.json': { type: 'module', main: 'index.js', dependencies: { sharp: '^0.34.0' } },
      'index.js': serveModule(
        `import sharp from 'sharp'`,
        `sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } }).png().toBuffer()
      .then((bytes) => sharp(bytes).metadata()).then(({ width, format }) => format + width)`,
      ),
    },
    answer: 'png3',
  },
  {
    ...BY_NPM,
    name: 'npm-patch-package',
    files: {
      'package.json': {
        main: 'index.js',
        scripts: { postinstall: 'patch-package' },
        dependencies: { 'is-odd': '3.0.1', 'patch-package': '^8.0.0' },
      },
      'patches/is-odd+3.0.1.patch': patchOfIsOdd('node_modules/is-odd/'),
      'index.js': serve(`require('is-odd')(3)`),
    },
    answer: 'patched true',
  },
  {
    ...BY_NPM,
    name: 'npm-postinstall',
    files: {
      'package.json': {
        main: 'index.js',
        scripts: { postinstall: 'node generate.js' },
        dependencies: { ms: '^2.1.3' },
      },
      'generate.js': `const { mkdirSync, writeFileSync } = require('node:fs')
mkdirSync('node_modules/.client', { recursive: true })
writeFileSync('node_modules/.client/index.js', 'module.exports = ' + require('ms')('2s'))
writeFileSync('generated.js', 'module.exports = "made"')
`,
      '.gitignore': 'generated.js\nnode_modules\n',
      'index.js': serve(`require('./node_modules/.client') + require('./generated.js')`),
    },
    answer: '2000made',
  },
  {
    ...BY_NPM,
    name: 'npm-aliases',
    files: {
      'package.json': {
        main: 'index.js',
        dependencies: {
          semver: '^7.7.0',
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
    ...BY_NPM,
    name: 'npm-overrides',
    files: {
      'package.json': {
        main: 'index.js',
        dependencies: { 'is-odd': '3.0.1' },
        overrides: { 'is-number': '7.0.0' },
      },
      'index.js': serve(`require('is-number/package.json').version + require('is-odd')(3)`),
    },
    answer: '7.0.0true',
  },
  {
    ...BY_NPM,
    name: 'npm-file',
    files: {
      'package.json': {
        main: 'index.js',
        dependencies: { local: 'file:./lib/local', semver: '^7.7.0' },
      },
      'lib/local/package.json': {
        name: 'local',
        version: '1.0.0',
        main: 'main.js',
        dependencies: { ms: '^2.1.3' },
      },
      'lib/local/main.js': `module.exports = require('ms')(3000)`,
      'index.js': serve(`require('local')`),
    },
    answer: '3s',
  },
  {
    ...BY_NPM,
    name: 'npm-optional',
    files: {
      'package.json': {
        type: 'module',
        main: 'index.js',
        dependencies: { esbuild: '^0.25.0' },
        optionalDependencies: { fsevents: '^2.3.0' },
      },
      'index.js': serveModule(
        `import { transformSync } from 'esbuild'`,
        `transformSync('let a: number = 1', { loader: 'ts' }).code`,
      ),
    },
    answer: 'let a = 1',
  },
]
