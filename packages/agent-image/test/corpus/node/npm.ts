import type { CorpusProject } from '../corpus-project.ts'
import { serve } from './serve.ts'

/** What npm is called with in these projects. */
const BY_NPM = {
  run: 'full',
  language: 'node',
  manager: 'npm',
  lock: ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'],
  install: [['ci', '--omit=dev', '--no-audit', '--no-fund']],
} as const

/** Projects whose manager is npm. */
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
]
