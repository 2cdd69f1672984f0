import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { rolldown } from 'rolldown'

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

/**
 * Writes the package's programs and templates to this folder. The programs are JavaScript with
 * everything inside but the keyring, which is native code. `dist/slipway.js` is the command line;
 * each command is loaded when it runs.
 */
export async function bundle(folder: string): Promise<void> {
  await using build = await rolldown({
    input: { slipway: join(SOURCES, 'src/main.ts') },
    platform: 'node',
    external: [/^node:/, '@napi-rs/keyring'],
    transform: { define: { SLIPWAY_VERSION: JSON.stringify(version()) } },
    logLevel: 'warn',
  })
  await build.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    postBanner: ({ isEntry }) => (isEntry ? LAUNCHER : ''),
    chunkFileNames: '[name]-[hash].js',
  })
  // Without it, Node.js parses each file twice to find out which kind of module it is.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  cpSync(join(SOURCES, 'templates'), join(folder, 'templates'), { recursive: true })
}
