import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { parse } from 'yaml'

// Packs the package as it is published, compiled to JavaScript, into the folder that the argument
// names. Prints the path of the archive.

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

const FOLDER = resolve(import.meta.dirname, '..')
const ROOT = resolve(FOLDER, '../..')
/** Members that only the workspace needs. */
const OF_WORKSPACE = new Set(['private', 'scripts', 'devDependencies', 'exports'])

const target = resolve(process.argv[2] ?? '.')
const draft = mkdtempSync(join(tmpdir(), 'slipway-client-'))
try {
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), [
    '--project',
    join(FOLDER, 'tsconfig.build.json'),
    '--outDir',
    join(draft, 'dist'),
  ])
  for (const file of globSync('dist/**/*.d.ts', { cwd: draft })) renameImports(join(draft, file))
  writeFileSync(join(draft, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  copyFileSync(join(FOLDER, 'README.md'), join(draft, 'README.md'))
  copyFileSync(join(ROOT, 'LICENSE'), join(draft, 'LICENSE'))
  const args = ['pack', '--json', '--pack-destination', target]
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: draft, encoding: 'utf8' })) as [
    { readonly filename: string },
  ]
  console.log(join(target, packed.filename))
} finally {
  rmSync(draft, { recursive: true, force: true })
}

/** The compiler renames the imports of `.js` files only. */
function renameImports(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
}

function publishedManifest(): object {
  const own = readJson(join(FOLDER, 'package.json'))
  const kept = Object.entries(own).filter(([name]) => !OF_WORKSPACE.has(name))
  return {
    ...Object.fromEntries(kept),
    version: readJson(join(ROOT, 'package.json')).version,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    dependencies: withVersions(own.dependencies),
  }
}

/** The dependencies with the versions of the workspace's catalog. */
function withVersions(dependencies: Manifest['dependencies']): object {
  const { catalog } = parse(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')) as {
    readonly catalog: Readonly<Record<string, string>>
  }
  return Object.fromEntries(Object.keys(dependencies).map((name) => [name, catalog[name]]))
}

function readJson(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}
