import { join } from 'node:path'
import { debianPython, LayerCache } from '@slipway/agent-image/parts'
import { runCommand } from '../process/run-command.ts'
import type { StackDirectories } from '../stack/stack.ts'

/** Downloads packages and what they need as wheels for the Python of Debian's packages. */
export async function downloadWheels(
  { cacheDir }: Pick<StackDirectories, 'cacheDir'>,
  folder: string,
  wanted: readonly string[],
  progress: (line: string) => void,
): Promise<void> {
  const { version } = await debianPython(new LayerCache(join(cacheDir, 'images')), progress)
  progress('pip download')
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  await runCommand('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--only-binary=:all:',
    `--python-version=${version}`,
    ...['manylinux_2_28', 'manylinux_2_17', 'manylinux2014'].map(
      (name) => `--platform=${name}_${machine}`,
    ),
    `--dest=${folder}`,
    ...wanted,
  ])
}
