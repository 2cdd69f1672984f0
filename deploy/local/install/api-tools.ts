import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { runCommand } from '../process/run-command.ts'
import type { StackDirectories } from '../stack/stack.ts'
import { fillOnce } from './fill-once.ts'

/** Programs that check the API document or generate clients from it, as users do. */
const FROM_NPM = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
]
const FROM_PYPI = ['openapi-python-client==0.29.1']

/** The folder with these programs: `node_modules` has those from npm, `python` those from PyPI. */
export function apiToolsFolder({ cacheDir }: StackDirectories): string {
  const versions = createHash('sha256').update([...FROM_NPM, ...FROM_PYPI].join())
  return join(cacheDir, 'packages', `api-tools-${versions.digest('hex').slice(0, 12)}`)
}

/** Installs the programs, unless they are. Needs Python 3 with pip. */
export async function installApiTools(
  directories: StackDirectories,
  progress: (line: string) => void,
): Promise<void> {
  const fill = async (draft: string) => {
    progress(`npm install ${FROM_NPM.join(' ')}`)
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
    await runCommand('npm', ['install', ...quiet, '--prefix', draft, ...FROM_NPM])
    progress(`pip install ${FROM_PYPI.join(' ')}`)
    const target = ['--quiet', '--target', join(draft, 'python')]
    await runCommand('python3', ['-m', 'pip', 'install', ...target, ...FROM_PYPI])
    return draft
  }
  const folder = apiToolsFolder(directories)
  await fillOnce(directories, folder, { what: 'the programs', progress, fill })
}
