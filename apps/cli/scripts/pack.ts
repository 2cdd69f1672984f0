import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { bundle, MODULES, version } from './bundle.ts'
import { writeManual } from './manual.ts'

const SOURCES = join(import.meta.dirname, '..')
const ROOT = join(SOURCES, '../..')

/** The file of a package. */
export interface PackedFile {
  readonly path: string
  readonly bytes: number
}

/**
 * Writes the npm package `slipway` to a folder: JavaScript with everything inside but the native
 * keyring, the templates of `slipway init`, and the manual.
 */
export async function pack(target: string): Promise<PackedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pack-'))
  try {
    await bundle(folder)
    const pages = await writeManual(join(folder, 'man'))
    cpSync(join(SOURCES, 'README.md'), join(folder, 'README.md'))
    cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
    writeFileSync(
      join(folder, 'package.json'),
      `${JSON.stringify(manifest(pages), undefined, 2)}\n`,
    )
    const arguments_ = ['pack', '--json', '--pack-destination', target]
    const said = execFileSync('npm', arguments_, { cwd: folder, encoding: 'utf8' })
    const [packed] = Object.values(
      JSON.parse(said) as Record<string, { filename: string; size: number }>,
    )
    if (packed === undefined) throw new Error(`npm pack printed ${said}`)
    return { path: join(target, packed.filename), bytes: packed.size }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function manifest(pages: readonly string[]): object {
  return {
    name: 'slipway',
    version: version(),
    description: 'Publish, deploy and watch AI agents on a Slipway server',
    license: 'Apache-2.0',
    ...MODULES,
    bin: { slipway: 'dist/slipway.js' },
    man: pages.map((page) => `man/${page}`),
    engines: { node: '>=22.12' },
    optionalDependencies: { '@napi-rs/keyring': catalogVersion('@napi-rs/keyring') },
  }
}

/** The version of a dependency in the catalog of the workspace. */
function catalogVersion(name: string): string {
  const workspace = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')
  const line = workspace.split('\n').find((each) => each.trim().startsWith(`'${name}':`))
  const range = line?.split(': ')[1]
  if (range === undefined) throw new Error(`the catalog has no ${name}`)
  return range
}

if (import.meta.main) {
  const { path, bytes } = await pack(resolve(process.argv[2] ?? '.'))
  console.log(`${path} ${Math.round(bytes / 1024)} kB`)
}
