import { runCommand, tryCommand } from '../process/run-command.ts'
import { ensureSystemPackages } from './system-packages.ts'

/** Makes sure that `python3 -m pip` runs. */
export async function ensurePip(progress: (line: string) => void): Promise<void> {
  const found = await tryCommand('python3', ['-m', 'pip', '--version']).catch(() => undefined)
  if (found?.code !== 0)
    await ensureSystemPackages(progress, [{ name: 'python3-pip', file: '/usr/bin/pip3' }])
}

/** Installs a package without what it depends on into a folder. */
export async function installWithPip(
  folder: string,
  requirement: string,
  progress: (line: string) => void,
): Promise<void> {
  await ensurePip(progress)
  const install = ['-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps']
  const options = ['--only-binary=:all:', `--target=${folder}`]
  await runCommand('python3', [...install, ...options, requirement])
}
