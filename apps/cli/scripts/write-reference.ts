import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describeCommands } from './manual/describe.ts'
import { markdownPages } from './manual/markdown.ts'
import { resultSchemas } from './result-schemas.ts'

// Writes the pages cli*.md of docs/reference, and the schemas of results, from the definitions of
// the commands. With `--check`, only reports the files that differ.
const FOLDER = join(import.meta.dirname, '../../../docs/reference')

const pages = markdownPages(await describeCommands())
pages.set('cli-results.json', `${JSON.stringify(await resultSchemas(), undefined, 2)}\n`)
const present = (await readdir(FOLDER)).filter((name) => /^cli(-.*)?\.(md|json)$/.test(name))
const differing: string[] = []
for (const name of new Set([...present, ...pages.keys()])) {
  const page = pages.get(name)
  const file = join(FOLDER, name)
  const before = present.includes(name) ? await readFile(file, 'utf8') : undefined
  if (page === before) continue
  differing.push(name)
  if (process.argv.includes('--check')) continue
  if (page === undefined) await rm(file)
  else await writeFile(file, page)
}
if (process.argv.includes('--check') && differing.length > 0) {
  console.error(`run \`node apps/cli/scripts/write-reference.ts\`: ${differing.join(', ')} differ`)
  process.exitCode = 1
}
