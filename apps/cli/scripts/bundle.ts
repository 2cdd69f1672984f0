import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { rolldown, type CodeSplittingGroup } from 'rolldown'

const SOURCES = join(import.meta.dirname, '..')
const ROOT = join(SOURCES, '../..')

/** The version of Slipway. */
export function version(): string {
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/**
 * The first lines of the program: a shell starts Node.js with it. Node.js takes its own options,
 * such as `--env-file`, also from behind the name of a program, unless `--` is before it. With
 * `env -S node --`, the program wouldn't start where `env` is that of BusyBox.
 */
const LAUNCHER = `#!/usr/bin/env sh
':' //; exec node -- "$0" "$@"`

/** What package.json says about the programs: the kind of modules, and what they load by name. */
export const MODULES = {
  type: 'commonjs',
  imports: { '#string-width': './dist/string-width.js' },
} as const

/**
 * Writes the package's programs and templates to this folder. The programs are JavaScript with
 * everything inside but the keyring, which is native code. `dist/slipway.js` is the command line;
 * each command is loaded when it runs.
 */
export async function bundle(folder: string): Promise<void> {
  const sources = join(SOURCES, 'src')
  const main = {
    slipway: join(sources, 'main.ts'),
    program: join(sources, 'app/main-program.ts'),
    perform: join(sources, 'command/perform.ts'),
  }
  // What all commands need is in one file, because each file takes time to load. The program itself
  // turns on the cache of compiled code before.
  const test = (id: string): boolean => id !== main.slipway
  await write(folder, main, [{ name: 'start', tags: ['$initial'], test }])
  await write(folder, { 'string-width': fileURLToPath(import.meta.resolve('string-width')) })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(MODULES)}\n`)
  cpSync(join(SOURCES, 'templates'), join(folder, 'templates'), { recursive: true })
}

async function write(
  folder: string,
  input: Readonly<Record<string, string>>,
  groups: CodeSplittingGroup[] = [],
): Promise<void> {
  await using build = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/, '@napi-rs/keyring'],
    transform: { define: { SLIPWAY_VERSION: JSON.stringify(version()) } },
    logLevel: 'warn',
  })
  await build.write({
    dir: join(folder, 'dist'),
    // Node.js loads it in less time than ES modules.
    format: 'cjs',
    exports: 'named',
    strict: true,
    codeSplitting: { groups },
    postBanner: ({ name }) => (name === 'slipway' ? LAUNCHER : ''),
    chunkFileNames: '[name]-[hash].js',
  })
}
