import { join } from 'node:path'
import { Uv, LayerCache } from '../../src/parts.ts'

/** Returns the command that runs a manager, as `pnpm@10.20.0`, which is brought if need be. */
export async function managerCommand(manager: string): Promise<readonly string[]> {
  const [name = '', version] = manager.split('@')
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(name)) {
    if (version === undefined) return [name]
    const isBerry = name === 'yarn' && !version.startsWith('1.')
    const source = `${isBerry ? '@yarnpkg/cli-dist' : name}@${version}`
    return ['npm', 'exec', '--yes', '--no-update-notifier', `--package=${source}`, '--', name]
  }
  const toolsFolder = join(new LayerCache().directory, 'tools')
  const { program } = await Uv.open({ toolsFolder, progress: () => {} })
  return name === 'uv' ? [program] : [program, 'tool', 'run', manager]
}
