import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UV_REQUIREMENT } from '@slipway/agent-image/parts'
import { parse } from 'smol-toml'
import { runCommand } from '../process/run-command.ts'
import type { StackDirectories } from '../stack/stack.ts'
import { fillOnce } from './fill-once.ts'
import { downloadWheels } from './wheels.ts'

// The templates with a model need the same packages as those without.
const PACKAGE_JSON = 'apps/cli/templates/node/package.json'
const PYPROJECT = 'apps/cli/templates/python/pyproject.toml'

type Place = Pick<StackDirectories, 'cacheDir' | 'checkout' | 'owner'>

/** What the guides install besides from npm. */
const GUIDE_PACKAGES = ['redis']

/**
 * The folder with what the templates of the command line and the guides need: `node_modules`,
 * `npm-cache` for npm, and `wheels` for pip.
 */
export function templatePackagesFolder({ cacheDir, checkout }: Place): string {
  const hash = createHash('sha256')
  for (const file of [PACKAGE_JSON, PYPROJECT]) hash.update(readFileSync(join(checkout, file)))
  hash.update([UV_REQUIREMENT, 'npm-cache', ...GUIDE_PACKAGES].join())
  return join(cacheDir, 'packages', `templates-${hash.digest('hex').slice(0, 12)}`)
}

/** Installs the packages, unless they are. Needs Python 3 with pip. */
export async function installTemplatePackages(
  place: Place,
  progress: (line: string) => void,
): Promise<void> {
  const fill = async (draft: string) => {
    copyFileSync(join(place.checkout, PACKAGE_JSON), join(draft, 'package.json'))
    progress('npm install')
    const options = ['--no-audit', '--no-fund', '--cache', join(draft, 'npm-cache')]
    await runCommand('npm', ['install', ...options, '--prefix', draft])
    const all = [...options, '--no-save', '--prefix', join(draft, 'of-guides')]
    await runCommand('npm', ['install', ...all, ...GUIDE_PACKAGES])
    const { project } = parse(readFileSync(join(place.checkout, PYPROJECT), 'utf8')) as {
      project: { dependencies: string[] }
    }
    // A build without an index brings uv from there.
    const wanted = [...project.dependencies, UV_REQUIREMENT]
    await downloadWheels(place, join(draft, 'wheels'), wanted, progress)
    return draft
  }
  await fillOnce(place, templatePackagesFolder(place), { what: 'the packages', progress, fill })
}
