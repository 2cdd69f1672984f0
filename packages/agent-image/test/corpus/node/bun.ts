import type { CorpusProject } from '../corpus-project.ts'
import { patchOfIsOdd, serve, serveModule } from './serve.ts'

const BY_BUN = {
  run: 'full',
  language: 'node',
  manager: 'bun@1.3.0',
  lock: ['install', '--lockfile-only'],
  install: [['install', '--production', '--frozen-lockfile']],
} as const
const packageManager = BY_BUN.manager

/** Projects whose manager is Bun. They run in Node.js. */
export const bunProjects: readonly CorpusProject[] = [
  {
    ...BY_BUN,
    name: 'bun-plain',
    run: 'gate',
    files: {
      'package.json': {
        packageManager,
        main: 'index.ts',
        type: 'module',
        dependencies: { ms: '^2.1.3', semver: '7.7.3' },
        devDependencies: { typescript: '^5.9.0' },
      },
      'index.ts': serveModule(`import ms from 'ms'`, `ms('1m' as ms.StringValue)`),
    },
    answer: '60000',
  },
  {
    ...BY_BUN,
    name: 'bun-workspace',
    run: 'long',
    folder: 'apps/agent',
    install: [['install', '--production', '--frozen-lockfile', '--filter=./apps/agent']],
    files: {
      'package.json': {
        name: 'root',
        packageManager,
        private: true,
        workspaces: { packages: ['apps/*', 'packages/*'], catalog: { ms: '2.1.3' } },
      },
      'apps/agent/package.json': {
        name: 'agent',
        main: 'index.js',
        dependencies: { words: 'workspace:*', ms: 'catalog:' },
      },
      'apps/agent/index.js': serve(`require('words') + require('ms')(1000)`),
      'packages/words/package.json': {
        name: 'words',
        version: '1.0.0',
        dependencies: { pluralize: '8.0.0' },
      },
      'packages/words/index.js': `module.exports = require('pluralize')('agent')`,
    },
    answer: 'agents1s',
  },
  {
    ...BY_BUN,
    name: 'bun-patched',
    files: {
      'package.json': {
        packageManager,
        main: 'index.js',
        dependencies: { 'is-odd': '3.0.1' },
        overrides: { 'is-number': '7.0.0' },
        patchedDependencies: { 'is-odd@3.0.1': 'patches/is-odd@3.0.1.patch' },
      },
      'patches/is-odd@3.0.1.patch': patchOfIsOdd(),
      'index.js': serve(`require('is-odd')(3) + require('is-number/package.json').version`),
    },
    answer: 'patched true7.0.0',
  },
]
