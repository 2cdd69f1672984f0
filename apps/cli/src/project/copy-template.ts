import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { ManagerName } from '@slipway/agent-image'

import { CliError } from '../errors/cli-error.ts'
import { withCommandsOf } from './package-manager.ts'
import type { Template } from './templates.ts'

const MANIFEST = 'template.json'
/** The agent's name in templates. */
const PLACEHOLDER = 'my-agent'

/**
 * Copies a template to a folder, for an agent with this name, which a manager installs. Writes
 * nothing if one of the files exists. Returns the paths of the files.
 */
export async function copyTemplate(
  template: Template,
  folder: string,
  name: string,
  manager: ManagerName,
): Promise<string[]> {
  const entries = await readdir(template.folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== MANIFEST)
    .map((entry) => {
      const source = join(entry.parentPath, entry.name)
      const path = source.slice(template.folder.length + 1)
      // npm leaves files like .gitignore out of packages.
      return { source, path: path.replace(/(^|\/)_/, '$1.') }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const existing = await filterExisting(folder, files)
  if (existing.length > 0)
    throw new CliError(`${folder} already has ${existing.join(', ')}`, {
      code: 'files_exist',
      why: 'files that exist are never replaced',
      next:
        'name another folder: slipway init TEMPLATE FOLDER; for the project that is there, ' +
        'slipway init writes astroai.yml',
    })
  for (const { source, path } of files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    const text = await readFile(source, 'utf8')
    const named = text.replaceAll(PLACEHOLDER, name)
    const written = path.endsWith('.md') ? withCommandsOf(manager, named) : named
    await writeFile(target, written, { flag: 'wx' })
  }
  return files.map(({ path }) => path)
}

async function filterExisting(
  folder: string,
  files: readonly { readonly path: string }[],
): Promise<string[]> {
  const existing = []
  for (const { path } of files) {
    const isThere = await lstat(join(folder, path)).then(
      () => true,
      () => false,
    )
    if (isThere) existing.push(path)
  }
  return existing
}
