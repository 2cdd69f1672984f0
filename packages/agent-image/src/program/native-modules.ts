import { open, readFile } from 'node:fs/promises'
import { architectureOf, HEAD_BYTES } from '../checks/elf.ts'
import type { Entry } from '../image/entries.ts'
import type { Platform } from '../image/oci.ts'

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/**
 * Throws if a package has native modules, but none for the platform: npm installs those of the
 * machine that it runs on.
 */
export async function requireNativeModules(
  entries: readonly Entry[],
  platform: Platform,
): Promise<void> {
  const fitting = new Map<string, boolean>()
  for (const entry of entries) {
    const name = PACKAGE.exec(entry.path)?.[0]
    if (entry.type !== 'file' || name === undefined || !entry.path.endsWith('.node')) continue
    const { content } = entry
    const head = Buffer.isBuffer(content) ? content : await startOf(content.file)
    fitting.set(
      name,
      (fitting.get(name) ?? false) || architectureOf(head) === platform.architecture,
    )
  }
  const missing = fitting
    .entries()
    .filter(([name, fits]) => !fits && !isOfAnotherPlatform(name))
    .map(([name]) => name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .toArray()
  if (missing.length === 0) return
  const cpu = platform.architecture === 'amd64' ? 'x64' : 'arm64'
  throw new Error(
    `${missing.join(', ')} has native code, but not for linux/${platform.architecture}; ` +
      `install it with npm install --os=linux --cpu=${cpu} --libc=glibc, or use a Dockerfile`,
  )
}

/**
 * Throws if a package has native modules for one major version of Node.js, unlike those with
 * Node-API (https://nodejs.org/api/n-api.html), and says the problem with that.
 */
export async function requireStableInterface(
  entries: readonly Entry[],
  problem: string,
): Promise<void> {
  for (const entry of entries) {
    const name = PACKAGE.exec(entry.path)?.[0].replace(/.*node_modules\//, '')
    if (entry.type !== 'file' || name === undefined || !entry.path.endsWith('.node')) continue
    const { content } = entry
    const code = Buffer.isBuffer(content) ? content : await readFile(content.file)
    if (code.includes('napi_')) continue
    throw new Error(
      `the native code of ${name} ${problem}; build with that Node.js, or name an image with the ` +
        'same major version with --base',
    )
  }
}

// Packages such as @img/sharp-darwin-arm64 are optional and have one platform each; another one of
// their family has the image's.
function isOfAnotherPlatform(name: string): boolean {
  return /(darwin|win32|freebsd|linux|android)/.test(name.slice(name.lastIndexOf('node_modules/')))
}

async function startOf(file: string): Promise<Buffer> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
