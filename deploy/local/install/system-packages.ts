import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * A Debian package that the local stack uses, and a file by which its presence is seen without
 * asking dpkg.
 */
export interface SystemPackage {
  readonly name: string
  readonly file: string
}

/** Every Debian package that the local stack installs; there is no other list. */
export const systemPackages: readonly SystemPackage[] = [
  { name: 'ca-certificates', file: '/etc/ssl/certs/ca-certificates.crt' },
  { name: 'containerd', file: '/usr/bin/containerd' },
  { name: 'containernetworking-plugins', file: '/usr/lib/cni/bridge' },
  { name: 'debian-archive-keyring', file: '/usr/share/keyrings/debian-archive-keyring.gpg' },
  { name: 'iproute2', file: '/bin/ip' },
  { name: 'iptables', file: '/usr/sbin/iptables' },
  { name: 'mmdebstrap', file: '/usr/bin/mmdebstrap' },
  { name: 'mount', file: '/usr/bin/mount' },
  { name: 'openssl', file: '/usr/bin/openssl' },
  { name: 'runc', file: '/usr/sbin/runc' },
  { name: 'util-linux', file: '/usr/bin/nsenter' },
]

/**
 * A program of a Debian package that would start a service when installed, and the packages that
 * may have it.
 */
export interface ServiceProgram {
  readonly file: string
  readonly packages: readonly string[]
}

/**
 * The programs that are unpacked, not installed, where they are missing; see unpacked-program.ts.
 */
export const servicePrograms = {
  nginx: { file: '/usr/sbin/nginx', packages: ['nginx', 'nginx-light'] },
} as const satisfies Readonly<Record<string, ServiceProgram>>

/** The packages that are not installed. */
export function missingSystemPackages(exists: (file: string) => boolean = existsSync): string[] {
  return systemPackages.filter((each) => !exists(each.file)).map((each) => each.name)
}

/** Installs what is missing, as root or by sudo; without either it fails and names the packages. */
export async function ensureSystemPackages(progress: (line: string) => void): Promise<void> {
  const missing = missingSystemPackages()
  if (missing.length === 0) return
  const wanted = missing.join(' ')
  if (!existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `this machine lacks what these Debian packages hold, and has no apt-get: ${wanted}`,
    )
  }
  const asRoot = rootPrefix()
  if (!asRoot) {
    throw new Error(
      `missing system packages. As root, run:\n  apt-get install --no-install-recommends ${wanted}`,
    )
  }
  if (!hasPackageLists()) await aptGet(asRoot, ['update'], progress)
  const install = ['install', '--yes', '--no-install-recommends', ...missing]
  try {
    await aptGet(asRoot, install, progress)
  } catch {
    // Lists that are too old name versions that the mirror no longer has.
    await aptGet(asRoot, ['update'], progress)
    await aptGet(asRoot, install, progress)
  }
  const left = missingSystemPackages()
  if (left.length > 0)
    throw new Error(`installed, but their files are not where they should be: ${left.join(' ')}`)
}

/** Fetches the lists of what the distribution has at present. */
export async function refreshPackageLists(progress: (line: string) => void): Promise<void> {
  const asRoot = rootPrefix()
  if (!asRoot) throw new Error('the package lists are too old. As root, run: apt-get update')
  await aptGet(asRoot, ['update'], progress)
}

function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return []
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo', '-n']
  // A person at a terminal can be asked for the password.
  if (process.stdin.isTTY && spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0)
    return ['sudo']
  return undefined
}

function hasPackageLists(): boolean {
  try {
    return readdirSync('/var/lib/apt/lists').some(
      (file) => file.endsWith('_Packages') || file.includes('_Packages.'),
    )
  } catch {
    return false
  }
}

async function aptGet(
  asRoot: string[],
  args: string[],
  progress: (line: string) => void,
): Promise<void> {
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']
  const command = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    ...options,
    ...args,
  ]
  progress(`apt-get ${args.join(' ')}`)
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
  const tail: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      tail.push(line)
      if (tail.length > 10) tail.shift()
      if (/^(Get:|Setting up|Unpacking)/.test(line)) progress(line)
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`apt-get ${args[0]} failed:\n${tail.join('\n')}`)
}
