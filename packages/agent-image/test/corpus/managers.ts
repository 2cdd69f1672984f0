import { join } from 'node:path'
import { LayerCache, Uv } from '../../src/parts.ts'
import { BROUGHT } from '../../src/program/python-install.ts'

/** Returns the command that runs a manager, as `pnpm@10.20.0`, which is brought if need be. */
export async function managerCommand(manager: string): Promise<readonly string[]> {
  const [name = '', version] = manager.split('@')
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(name)) {
    if (version === undefined) return [name]
    const isBerry = name === 'yarn' && !version.startsWith('1.')
    const source = `${isBerry ? '@yarnpkg/cli-dist' : name}@${version}`
    return ['npm', 'exec', '--yes', '--no-update-notifier', `--package=${source}`, '--', name]
  }
  // Debian's Python, which images have, too.
  if (name === 'pip') return ['/usr/bin/python3', '-m']
  const toolsFolder = join(new LayerCache().directory, 'tools')
  const { program } = await Uv.open({ toolsFolder, progress: () => {} })
  if (name === 'uv') return [program]
  if (name === 'pip-tools') return [program, 'tool', 'run', '--from', manager, 'pip-compile']
  return [program, 'tool', 'run', '--quiet', ...BROUGHT[name === 'poetry' ? name : 'pdm']]
}
