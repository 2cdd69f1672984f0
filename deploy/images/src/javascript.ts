import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileEntry, type Entry } from '@slipway/agent-image/parts'

/** A string that is a relative path of a TypeScript file, as in an import or in `exports`. */
const RELATIVE_PATH = /(["'])(\.[^"'\n]*)\.ts\1/g

/**
 * Returns the files of a package of the workspace as JavaScript. Types become spaces and `.ts`
 * becomes `.js`, so stack traces have the lines and columns of the sources.
 */
export async function asJavaScript(entries: readonly Entry[]): Promise<Entry[]> {
  return await Promise.all(entries.map(async (entry) => await withoutTypes(entry)))
}

async function withoutTypes(entry: Entry): Promise<Entry> {
  const isTypeScript = entry.path.endsWith('.ts')
  if (entry.type !== 'file' || !(isTypeScript || entry.path.endsWith('/package.json'))) return entry
  const { content } = entry
  const text = Buffer.isBuffer(content) ? content.toString() : await readFile(content.file, 'utf8')
  const program = isTypeScript ? stripTypeScriptTypes(text) : text
  const path = isTypeScript ? entry.path.replace(/\.ts$/, '.js') : entry.path
  return { ...fileEntry(path, program.replaceAll(RELATIVE_PATH, '$1$2.js$1')), mode: entry.mode }
}
