import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  debianComponent,
  nodeComponent,
  parsePackages,
  STATUS_PATH,
  type Component,
} from '@slipway/agent-image/parts'
import { applicationFiles } from './src/service-image.ts'
import { writeEntries } from './src/write-entries.ts'

// Writes /app of one image; the Dockerfile uses it. FOLDER is a package's folder in the checkout,
// TARGET gets /app, and BASE has the package list of the image's base.
const [folder, target, base] = process.argv.slice(2)
if (folder === undefined || target === undefined || base === undefined) {
  console.error('usage: node deploy/images/main.ts FOLDER TARGET BASE')
  process.exit(2)
}
const checkout = resolve(import.meta.dirname, '../..')
const runtime = [...(await debianComponents(base)), nodeComponent()]
const { dependencies, sources } = await applicationFiles(checkout, folder, runtime)
writeEntries(target, [...dependencies, ...sources])

async function debianComponents(root: string): Promise<Component[]> {
  const release = await readFile(join(root, 'usr/lib/os-release'), 'utf8')
  const suite = /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(release)?.[1] ?? 'unknown'
  const packages = parsePackages(await readFile(join(root, STATUS_PATH), 'utf8'))
  return packages.map((each) => debianComponent(each, suite))
}
