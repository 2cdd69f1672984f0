import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { npmComponent, type Component } from '@slipway/agent-image/parts'

/** The packages that are part of the files of the built console, as Vite lists them. */
export async function bundledComponents(consoleFolder: string): Promise<Component[]> {
  const text = await readFile(join(consoleFolder, 'licenses.json'), 'utf8')
  const packages = JSON.parse(text) as { name: string; version: string; identifier: string }[]
  return packages.map(({ name, version, identifier }) =>
    npmComponent({ name, version, license: identifier }),
  )
}
