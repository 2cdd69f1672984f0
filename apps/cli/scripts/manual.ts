import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describeCommands } from './manual/describe.ts'
import { commandPage, mainPage, pageName } from './manual/roff.ts'

/**
 * Writes the manual pages to a folder: `slipway.1`, and one of each command. Returns the names of
 * the files.
 */
export async function writeManual(folder: string): Promise<string[]> {
  const commands = await describeCommands()
  const pages = new Map([
    ['slipway.1', mainPage(commands)],
    ...commands.map((each) => [`${pageName(each.name)}.1`, commandPage(each)] as const),
  ])
  await mkdir(folder, { recursive: true })
  for (const [name, page] of pages) await writeFile(join(folder, name), page)
  return [...pages.keys()]
}
