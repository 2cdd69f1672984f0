import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../process/file-lock.ts'
import { runCommand, tryCommand } from '../process/run-command.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'
import { refreshPackageLists, servicePrograms } from './system-packages.ts'
import type { ServiceProgram } from './system-packages.ts'

type Cache = Pick<Stack, 'cacheDir' | 'owner'>

/**
 * Returns the path of a program whose Debian package would start a service, now and at every boot,
 * if it were installed. If the program is missing, its package is unpacked into the user's cache,
 * and none of the package's scripts run.
 */
export async function serviceProgram(
  cache: Cache,
  name: keyof typeof servicePrograms,
  progress: (line: string) => void,
): Promise<string> {
  const wanted: ServiceProgram = servicePrograms[name]
  if (existsSync(wanted.file)) return wanted.file
  const packages = join(cache.cacheDir, 'packages')
  const place = join(packages, `${name}-${release()}-${process.arch}`)
  const program = join(place, wanted.file)
  if (existsSync(program)) return program
  ensureDirectory(cache, packages, 0o755)
  const waiting = () => progress(`waiting for another run to unpack ${name}`)
  await withFileLock(join(packages, '.lock'), waiting, async () => {
    if (!existsSync(program)) await unpack(cache, wanted, packages, place, progress)
  })
  await runCommand(program, ['-v']) // fails if a library is missing
  return program
}

async function unpack(
  { owner }: Cache,
  wanted: ServiceProgram,
  packages: string,
  place: string,
  progress: (line: string) => void,
): Promise<void> {
  const draft = mkdtempSync(join(packages, '.unpacking-'))
  try {
    const archive = await download(wanted, draft, progress)
    const root = join(draft, 'root')
    mkdirSync(root)
    await runCommand('dpkg-deb', ['--extract', archive, root])
    // Under sudo the caller owns the cache.
    const isCallers = owner !== undefined && statSync(packages).uid === owner.uid
    if (isCallers) await runCommand('chown', ['--recursive', `${owner.uid}:${owner.gid}`, root])
    rmSync(place, { recursive: true, force: true })
    renameSync(root, place)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Downloads the first of the packages that has the program; apt verifies its signature. */
async function download(
  wanted: ServiceProgram,
  to: string,
  progress: (line: string) => void,
): Promise<string> {
  const errors: string[] = []
  for (const attempt of ['known', 'refreshed'] as const) {
    if (attempt === 'refreshed') await refreshPackageLists(progress)
    for (const name of wanted.packages) {
      progress(`apt-get download ${name}`)
      const place = join(to, `${name}-${attempt}`)
      mkdirSync(place)
      const script = 'cd "$1" && exec apt-get -q -o APT::Sandbox::User=root download "$2"'
      const { code, errors: said } = await tryCommand('sh', ['-c', script, 'sh', place, name])
      const [archive] = readdirSync(place)
      if (code !== 0 || archive === undefined) {
        errors.push(said.trim())
        continue
      }
      const { output } = await tryCommand('dpkg-deb', ['--contents', join(place, archive)])
      if (output.includes(`.${wanted.file}\n`)) return join(place, archive)
    }
  }
  throw new Error(
    `no package has ${wanted.file} (tried ${wanted.packages.join(', ')}): ${errors.join('; ')}`,
  )
}

/**
 * Returns the distribution and its release, because programs of other releases may need other
 * libraries.
 */
function release(): string {
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    const field = (name: string) =>
      new RegExp(`^${name}="?([\\w.-]+)"?$`, 'm').exec(text)?.[1] ?? ''
    return `${field('ID')}${field('VERSION_ID')}`
  } catch {
    return 'unknown'
  }
}
