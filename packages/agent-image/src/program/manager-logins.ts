import { posix } from 'node:path'
import type { Entry } from '../image/entries.ts'
import { readContent } from '../image/host-file.ts'
import { isVariable, withoutLogins } from '../logins.ts'
import { firstNames, type Progress } from '../progress.ts'
import type { SourceTree } from './source-tree.ts'

/** Files that package managers read, by their names in lower case. */
const OF_MANAGERS = [
  /^(pyproject|uv|poetry|\.?pdm|pylock(\..+)?|pixi|bunfig)\.toml$/,
  /^(uv|poetry|pdm|pipfile|pixi|yarn|bun)\.lock$/,
  /^(setup\.(py|cfg)|pipfile|\.condarc|\.gitmodules|\.pnp\.cjs)$/,
  /^(package|\.?package-lock|npm-shrinkwrap|deno|lerna)\.json$/,
  /^(pnpm-lock|pnpm-workspace|lock|environment|conda-lock|\.yarn-state)\.ya?ml$/,
  /^.*(require|constrain).*\.(txt|in)$/,
]
const FOLDER_OF_REQUIREMENTS = /(^|\/)requirements\/[^/]+\.(txt|in)$/i
/** Files whose settings may be passwords and tokens. */
const WITH_SECRETS = /^(bunfig|poetry|\.?pdm|uv)\.toml$/
/** A setting with a secret: what is before its value, and the value in any quotes of TOML. */
const SECRET = new RegExp(
  String.raw`(\b(?:password|token|pypi-token\.[\w-]+)["']?[ \t]*=[ \t]*)` +
    String.raw`(?:("""|''')([^]*?)\2|(")([^"\\\n]*(?:\\.[^"\\\n]*)*)"|(')([^'\n]*)')`,
  'gi',
)

const REMEDY =
  'write the login to the settings of the package manager (.npmrc, pip.conf, UV_INDEX_…), which ' +
  'images never have, or in requirement files the name of a variable: https://${NAME}@…'

/**
 * Returns the sources below `path` without the logins that files of package managers have, such as
 * the address of an index, and says which these are. `requirements` are other requirement files, by
 * their paths in the folder.
 */
export async function treeWithoutLogins(
  tree: SourceTree,
  path: string,
  progress: Progress,
  requirements: Iterable<string> = [],
): Promise<SourceTree> {
  const named = new Set([...requirements].map((each) => `${path}/${each}`))
  const changed: string[] = []
  const entries: Entry[] = []
  for (const entry of tree.entries) {
    const isOfManager = named.has(entry.path) || isFileOfManager(entry.path)
    const clean = isOfManager ? await withoutLogin(entry) : entry
    entries.push(clean)
    if (clean !== entry) changed.push(posix.relative(path, entry.path))
  }
  if (changed.length > 0)
    progress(
      'warning: the image has these files without the logins in them: ' +
        `${firstNames(changed.toSorted(), 10)}; ${REMEDY}`,
    )
  return { ...tree, entries }
}

/** Whether package managers read a file, which may have the login of an index or a repository. */
export function isFileOfManager(path: string): boolean {
  const name = posix.basename(path).toLowerCase()
  return FOLDER_OF_REQUIREMENTS.test(path) || OF_MANAGERS.some((pattern) => pattern.test(name))
}

/** Returns the entry of a manager's file without its logins; the same entry if it has none. */
export async function withoutLogin(entry: Entry): Promise<Entry> {
  if (entry.type !== 'file') return entry
  const name = posix.basename(entry.path).toLowerCase()
  const text = (await readContent(entry.content)).toString('latin1')
  const plain = withoutLogins(text)
  // Every byte has a letter in latin1, so all else stays as it is.
  const clean = WITH_SECRETS.test(name) ? withoutSecrets(plain) : plain
  return clean === text ? entry : { ...entry, content: Buffer.from(clean, 'latin1') }
}

function withoutSecrets(text: string): string {
  return text.replace(SECRET, (match, setting: string, ...groups: (string | undefined)[]) => {
    const [quotes = '', value = ''] = groups.slice(0, 6).filter((each) => each !== undefined)
    return isVariable(value) ? match : `${setting}${quotes}${quotes}`
  })
}
