import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { zstdDecompressSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { defaultPlatform, parsePlatform } from '../../src/base/platform.ts'
import { LayerCache } from '../../src/parts.ts'
import { readApplication } from '../../src/program/application.ts'
import type { NodeLayers } from '../../src/program/node-files.ts'
import { nodeLayers } from '../../src/program/node-layers.ts'
import { readNodeProject } from '../../src/program/node-project.ts'
import type { PublishedPackage } from './npm-registry.ts'

const LIST_VARIABLES =
  'require("fs").writeFileSync("seen.json", JSON.stringify(Object.values(process.env)))'

/** Packages with a program, with an install script, and one that compiles and generates. */
export const PACKAGES: readonly PublishedPackage[] = [
  {
    manifest: { name: 'one', version: '1.0.0', main: 'index.js' },
    files: { 'index.js': 'module.exports = "old"' },
  },
  {
    manifest: {
      name: 'one',
      version: '1.1.0',
      main: 'index.js',
      dependencies: { two: '^2.0.0' },
      bin: 'cli.js',
    },
    files: {
      'index.js': 'module.exports = require("two")',
      'cli.js': '#!/usr/bin/env node\n',
      'types.d.ts': 'export {}',
    },
  },
  {
    manifest: {
      name: 'two',
      version: '2.0.0',
      scripts: { install: `node -e '${LIST_VARIABLES}'` },
    },
    files: { 'index.js': 'module.exports = "two"' },
  },
  {
    manifest: { name: 'patcher', version: '1.0.0', bin: { patch: 'patch.js' } },
    files: {
      'patch.js': `#!/usr/bin/env node
require('node:fs').writeFileSync('node_modules/one/index.js', 'module.exports = "patched"')
`,
    },
  },
  {
    manifest: { name: 'copier', version: '1.0.0', bin: { copy: 'copy.js' } },
    files: {
      // Leaves a cache, and shows whether an earlier one is there.
      'copy.js': `#!/usr/bin/env node
const { cpSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
cpSync('src', 'dist', { recursive: true })
writeFileSync('dist/seen.txt', String(existsSync('node_modules/.cache')))
mkdirSync('node_modules/.cache')
`,
    },
  },
  {
    manifest: { name: 'compiler', version: '1.0.0', bin: { compile: 'compile.js' } },
    files: {
      'compile.js': `#!/usr/bin/env node
const { cpSync, mkdirSync, writeFileSync } = require('node:fs')
cpSync('src', 'dist', { recursive: true })
mkdirSync('node_modules/.generated', { recursive: true })
writeFileSync('node_modules/.generated/index.js', 'module.exports = "generated"')
`,
    },
  },
]

/** The start of a native module for x86-64. */
const NATIVE = `\x7fELF${'\0'.repeat(14)}>${'\0'.repeat(45)}`
/** A package with native code: version 1 is for one Node.js, version 2 has Node-API. */
export const NATIVE_PACKAGE: readonly PublishedPackage[] = [
  {
    manifest: { name: 'native', version: '1.0.0' },
    files: { 'addon.node': `${NATIVE}node_register_module_v137` },
  },
  {
    manifest: { name: 'native', version: '2.0.0' },
    files: { 'addon.node': `${NATIVE}napi_register_module_v1` },
  },
]

/** Writes files to a folder; what is not a text is JSON. */
export async function write(
  folder: string,
  files: Readonly<Record<string, string | object>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(
      join(folder, path),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
}

/** What a build says, and its layers. */
export interface Built extends NodeLayers {
  readonly said: readonly string[]
  /** The content of each file and the target of each link. */
  readonly tree: ReadonlyMap<string, string>
}

/** Builds the layers above the base. */
export async function build(
  folder: string,
  cache: string,
  environment: NodeJS.ProcessEnv,
  { nodeVersion = '24.0.0' } = {},
): Promise<Built> {
  const said: string[] = []
  const project = await readNodeProject(folder)
  const layers = await nodeLayers(project, await readApplication(folder), nodeVersion, {
    cache: new LayerCache(cache),
    platform: parsePlatform(defaultPlatform()),
    environment,
    progress: (line) => void said.push(line),
  })
  const tree = new Map<string, string>()
  for (const { source } of layers.layers) {
    const bytes = 'bytes' in source ? source.bytes : await readFile(source.file)
    for await (const entry of Readable.from([zstdDecompressSync(bytes)]).pipe(extract())) {
      const { name, type, linkname } = entry.header
      const content = await text(entry)
      if (type !== 'directory') tree.set(name, type === 'symlink' ? `-> ${linkname}` : content)
    }
  }
  return { ...layers, said, tree }
}
