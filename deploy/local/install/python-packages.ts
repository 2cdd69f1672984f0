import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Uv } from '@slipway/agent-image/parts'
import type { StackDirectories } from '../stack/stack.ts'
import { fillOnce } from './fill-once.ts'
import { ensurePip } from './pip.ts'
import { downloadWheels } from './wheels.ts'

/** What the tests of Python images install. A stack of tests has no network. */
const PACKAGES = [
  'asyncio==3.4.3',
  'hatchling==1.27.0',
  'iniconfig==2.1.0',
  'setuptools==80.9.0',
  'tabulate==0.9.0',
]

type Place = Pick<StackDirectories, 'cacheDir' | 'owner'>

/** The folder with the wheels. */
export function pythonPackagesFolder({ cacheDir }: Pick<StackDirectories, 'cacheDir'>): string {
  const hash = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 12)
  return join(cacheDir, 'packages', `python-${hash}`)
}

/** Downloads the wheels, unless they are there, and brings uv. */
export async function installPythonPackages(
  place: Place,
  progress: (line: string) => void,
): Promise<void> {
  await ensurePip(progress)
  await Uv.open({ toolsFolder: join(place.cacheDir, 'images', 'tools'), progress })
  const fill = async (draft: string) => {
    await downloadWheels(place, draft, PACKAGES, progress)
    return draft
  }
  await fillOnce(place, pythonPackagesFolder(place), { what: 'Python packages', progress, fill })
}
