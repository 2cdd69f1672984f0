import envCi from 'env-ci'
import { runGit } from './run-git.ts'

/** The commit that a build is made from, as the API has it. */
export interface Commit {
  /** Its object name, in hexadecimal. */
  readonly id: string
  readonly branch?: string
  /** The first line. */
  readonly message?: string
  /** Whether the folder has changes that are not committed; absent if unknown. */
  readonly has_changes?: boolean
  /** The address of the CI run. */
  readonly ci_run_url?: string
}

/** What the API accepts. */
const MOST = { branch: 255, message: 500, url: 2048 }

/**
 * Reads the commit of a folder from git, and what git doesn't know from the variables of the CI
 * service. Undefined if neither knows one. What the API would refuse is left out.
 */
export async function readCommit(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  signal?: AbortSignal,
): Promise<Commit | undefined> {
  const git: Git = async (...args) =>
    (await runGit(folder, args, { maxBuffer: 64 << 20, signal }))?.trim()
  const [known, branch, hasChanges] = await Promise.all([
    git('log', '-1', '--no-show-signature', '--format=%H%n%s'),
    git('symbolic-ref', '--short', '--quiet', 'HEAD'),
    readChanges(git),
  ])
  const service = envCi({ env, cwd: folder })
  const ci = service.isCi ? service : undefined
  const [id = ci?.commit ?? '', message = ''] = known?.split('\n') ?? []
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return undefined
  // CI services check out a commit, not a branch.
  const name = branch ?? ci?.prBranch ?? ci?.branch ?? ''
  const url = ci?.buildUrl ?? ''
  return {
    id,
    ...(name !== '' && name.length <= MOST.branch && !/\p{Cc}/u.test(name) && { branch: name }),
    ...(message !== '' && { message: oneLine(message) }),
    ...(hasChanges !== undefined && { has_changes: hasChanges }),
    ...(isWebAddress(url) && { ci_run_url: url }),
  }
}

type Git = (...args: readonly string[]) => Promise<string | undefined>

async function readChanges(git: Git): Promise<boolean | undefined> {
  // To compare files, git runs filters, which a foreign repository may name.
  const filters = await git('config', '--show-scope', '--get-regexp', String.raw`^filter\.`)
  if (filters !== undefined && /^(?:local|worktree)\t/m.test(filters)) return undefined
  const changes = await git('status', '--porcelain', '--ignore-submodules=all', '--', '.')
  return changes === undefined ? undefined : changes !== ''
}

function oneLine(text: string): string {
  const line = text.replace(/\p{Cc}/gu, ' ').slice(0, MOST.message)
  return line.isWellFormed() ? line : line.slice(0, -1)
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  const isPlain = url !== null && url.username === '' && url.password === ''
  return isPlain && /^https?:\/\/[^\s\\]+$/.test(text) && text.length <= MOST.url
}
