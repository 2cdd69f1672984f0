import type { CorpusProject } from '../corpus-project.ts'
import { BY_NPM } from './npm.ts'
import { serve, serveModule } from './serve.ts'

/** The content of a package.json that begins with a byte order mark. */
const BEHIND_MARK = { main: './lib/server', dependencies: { ms: '2.1.3' } }
const RUN = `require('node:child_process').execFileSync`

/** Projects whose manager is npm, with files in unusual places. */
export const npmLayouts: readonly CorpusProject[] = [
  {
    ...BY_NPM,
    name: 'npm-files-bin',
    files: {
      'package.json': {
        name: 'files-bin',
        version: '1.0.0',
        files: ['bin', 'lib', '!lib/**/*.test.js', '/data'],
        bin: { agent: './bin/agent.js', other: './bin/other.js' },
        dependencies: { ms: '^2.1.3' },
      },
      'bin/agent.js': serve(
        `[require('../lib/a.js'), ...['lib/a.test.js', 'notes.txt'].map(` +
          `(name) => require('node:fs').existsSync(name))]`,
      ),
      'bin/other.js': '',
      'lib/a.js':
        `module.exports = require('node:fs').readFileSync('data/text', 'utf8') + ` +
        `require('ms')(1)`,
      'lib/a.test.js': '',
      'data/text': 'text',
      'notes.txt': '',
    },
    answer: 'text1ms,false,false',
  },
  {
    ...BY_NPM,
    name: 'npm-shrinkwrap',
    lock: ['exec', '--call', 'npm install --package-lock-only && npm shrinkwrap'],
    files: {
      'package.json': { type: 'module', main: './index.mjs', dependencies: { nanoid: '^5.0.0' } },
      'index.mjs': serveModule(
        `import { customAlphabet } from 'nanoid'`,
        `customAlphabet('a', 5)()`,
      ),
    },
    answer: 'aaaaa',
  },
  {
    ...BY_NPM,
    name: 'npm-peers',
    files: {
      '.npmrc': 'legacy-peer-deps=true\n',
      'package.json': {
        main: 'index.cjs',
        type: 'module',
        dependencies: { 'use-sync-external-store': '1.6.0', react: '19.2.0' },
      },
      'index.cjs': serve(
        `typeof require('use-sync-external-store/shim').useSyncExternalStore + ` +
          `require('react').version`,
      ),
    },
    answer: 'function19.2.0',
  },
  {
    ...BY_NPM,
    name: 'npm-bom-and-spaces',
    files: {
      'package.json': `\uFEFF${JSON.stringify(BEHIND_MARK)}`,
      'lib/server/index.js': serve(`require('ms')('1h') + require('../a file.js')`),
      'lib/a file.js': `module.exports = ' with a space'`,
    },
    answer: '3600000 with a space',
  },
  {
    ...BY_NPM,
    name: 'npm-bin-and-types',
    files: {
      'package.json': {
        main: 'index.js',
        dependencies: { typescript: '5.9.3', semver: '7.7.3' },
      },
      // Starts a program of a package, and reads the declarations of TypeScript's library. This
      // takes longer than a request may on a busy machine, so later requests get what it printed.
      'index.js': serve(
        `globalThis.printed ??= ` +
          `${RUN}('node_modules/.bin/tsc', ['--noEmit', 'ok.ts'], { encoding: 'utf8' }) + ` +
          `${RUN}('node_modules/.bin/semver', ['2.0.0', '1.0.0'], { encoding: 'utf8' })`,
      ),
      'ok.ts': 'export const list: string[] = ["a"].map((each) => each.trim())\n',
    },
    answer: '1.0.0\\n2.0.0',
  },
]
