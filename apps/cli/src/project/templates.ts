import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { builtInVersion } from '../config/version.ts'

/** The folder of the templates, next to the programs of the package or to its sources. */
const FOLDER = fileURLToPath(
  new URL(builtInVersion === undefined ? '../../templates/' : '../templates/', import.meta.url),
)

/** A project that `slipway init` can start with. */
export interface Template {
  readonly name: string
  readonly description: string
  readonly folder: string
  /** The commands to run in the new folder before a build. */
  readonly next: readonly string[]
}

/** All templates, sorted by name. */
export async function templates(): Promise<Template[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort()
  return await Promise.all(
    names.map(async (name) => {
      const folder = `${FOLDER}${name}`
      const text = await readFile(`${folder}/template.json`, 'utf8')
      return { name, folder, ...(JSON.parse(text) as Pick<Template, 'description' | 'next'>) }
    }),
  )
}
