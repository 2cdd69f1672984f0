import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../src/run-program.ts'
import { placeOf, type CorpusProject } from './corpus-project.ts'
import { managerCommand } from './managers.ts'

/**
 * Runs a command in a folder of a root that has what this machine has, and else only the project.
 * The mounts end with the command.
 */
const IN_ROOT = `
set -e
root=$1 place=$2
shift 2
for each in /*; do
  case "$place" in "$each" | "$each"/*) continue ;; esac
  if [ -L "$each" ]; then [ -L "$root$each" ] || cp -P "$each" "$root$each"
  elif [ -d "$each" ]; then mkdir -p "$root$each" && mount --rbind "$each" "$root$each"
  fi
done
exec chroot "$root" sh -c 'cd "$0" && exec "$@"' "$place" "$@"
`

/**
 * Lets the manager of a project install it for production as in a new container, at the place that
 * it has in the image. Returns the folder with the result.
 */
export async function cleanInstall(
  project: CorpusProject,
  sources: string,
  directory: string,
): Promise<string> {
  const root = await mkdtemp(join(directory, 'clean-'))
  const folder = join(root, placeOf(project))
  await cp(sources, folder, { recursive: true, verbatimSymlinks: true })
  const manager = await managerCommand(project.manager)
  const inRoot = ['--map-root-user', '--mount', '--', 'sh', '-c', IN_ROOT, 'sh']
  for (const args of project.install)
    await runProgram('unshare', [...inRoot, root, `/${placeOf(project)}`, ...manager, ...args], {
      environment: commandEnvironment(project),
      missing: "can't run unshare",
    })
  return folder
}

/** What reaching a registry needs. */
const PASSED =
  /^(PATH|HOME|LANG|TMPDIR|XDG_\w+|(UV|PIP|NPM|YARN|BUN)_\w+|\w+_(PROXY|CERTS?|BUNDLE|FILE))$/i

/** The variables that the manager of a project sees. */
export function commandEnvironment({ environment }: CorpusProject): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => PASSED.test(name))
  return {
    ...Object.fromEntries(kept),
    CI: 'true',
    ...environment,
  }
}
