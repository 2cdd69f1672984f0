import { posix } from 'node:path'
import { hostTreeEntries, type Entry } from '../image/entries.ts'
import { ENVIRONMENT } from './python-install.ts'
import { MANAGER_FILES } from './python-project.ts'
import type { PythonSourceFiles } from './python-sources.ts'

/** What builds leave, and no program reads; setuptools links from `__editable__` in strict mode. */
const LEFT = new RegExp(
  '(^|/)(__pycache__|\\.git|\\.pdm-build|\\.pdm-python|\\.slipway-[^/]*' +
    '|[^/]*\\.egg-info|dist)(/|$)' +
    '|(^|/)build/(?!__editable__)',
)
const MANAGERS: ReadonlySet<string> = new Set(MANAGER_FILES)

/**
 * Finds what the builds of editable packages have made among the sources in a staging folder, such
 * as native modules and files with a version. The packages need it there.
 */
export async function madeFiles(
  staging: string,
  { staged, tree, top }: PythonSourceFiles,
): Promise<Entry[]> {
  const known = new Set(staged.entries.map(({ path }) => path))
  const folders = new Set(
    tree.entries.flatMap(({ path, type }) => (type === 'directory' ? path : [])),
  )
  const keep = (name: string): boolean => name !== ENVIRONMENT && !LEFT.test(name)
  const isInImage = (path: string): boolean => {
    const parent = posix.dirname(path)
    return known.has(parent) || parent === top ? folders.has(parent) : isInImage(parent)
  }
  return (await hostTreeEntries(top, staging, keep)).filter(
    ({ path, type }) =>
      type !== 'directory' &&
      !known.has(path) &&
      !MANAGERS.has(posix.basename(path)) &&
      isInImage(path),
  )
}
