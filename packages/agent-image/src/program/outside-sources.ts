import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInside } from '../inside.ts'
import { readEntry } from './python-project.ts'
import type { PythonSourceFiles } from './python-sources.ts'

/** Files that name packages, and paths in them that go up. */
const NAMES_PACKAGES = /(\.(txt|in|toml|lock|cfg)|(^|\/)setup\.py)$/
const UP = /(?<![\w./])\.\.\/[^\s"'#,;\])}]*/g

const REMEDY =
  'move it into the folder, make both members of a uv workspace, install it from a package index ' +
  'or a repository, or use a Dockerfile'

/** Says which file names a folder outside of the project, which a build doesn't have. */
export async function outsideProblem({
  staged,
  top,
  root,
}: Pick<PythonSourceFiles, 'staged' | 'top' | 'root'>): Promise<string | undefined> {
  for (const entry of staged.entries) {
    if (entry.type !== 'file' || !NAMES_PACKAGES.test(entry.path)) continue
    const file = entry.path.slice(top.length + 1)
    for (const [path] of (await readEntry(entry)).matchAll(UP)) {
      const place = resolve(root, dirname(file), path)
      if (!isInside(root, place) && existsSync(place))
        return `${file} names ${path}, which is outside of ${root}; ${REMEDY}`
    }
  }
  return undefined
}

/** Throws if a package of an environment was installed from a folder outside of the project. */
export async function requireInside(
  environment: string,
  staging: string,
  root: string,
): Promise<void> {
  const records = 'lib/*/site-packages/*.dist-info/direct_url.json'
  for await (const file of glob(records, { cwd: environment })) {
    const text = await readFile(join(environment, file), 'utf8')
    const { url = '', dir_info: folder } = JSON.parse(text) as { url?: string; dir_info?: object }
    if (folder === undefined || !url.startsWith('file://')) continue
    const place = fileURLToPath(url)
    if (isInside(staging, place)) continue
    const [name = ''] = dirname(file).split('/').at(-1)?.split('-', 1) ?? []
    throw new Error(`the package ${name} is ${place}, which is outside of ${root}; ${REMEDY}`)
  }
}
