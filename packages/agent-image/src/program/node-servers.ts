import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAMES = ['index', 'server', 'main', 'app', 'agent']
const ENDINGS = ['ts', 'mts', 'js', 'mjs', 'cjs']
/** Calls with which Express, Fastify, Hono and Node.js itself serve. */
const SERVES = /\.listen\(|\bserve\(|\bcreateServer\(/
const LONGEST = 1 << 20

/** Where a server is looked for, for an error that nothing was found. */
export const SERVER_FILES = `${NAMES.join(', ')} (.${ENDINGS.join(', .')}), also in src`

/** Finds the files of a package that start a server. */
export async function findServers(folder: string): Promise<string[]> {
  const places = ['', 'src/'].flatMap((start) =>
    NAMES.flatMap((name) => ENDINGS.map((ending) => `${start}${name}.${ending}`)),
  )
  const found: string[] = []
  for (const place of places) {
    const text = await readFile(join(folder, place), 'utf8').catch(() => '')
    if (SERVES.test(text.slice(0, LONGEST))) found.push(place)
  }
  return found
}
