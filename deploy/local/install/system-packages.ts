import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A Debian package that the local stack uses. It counts as installed if `file` exists. */
export interface SystemPackage {
  readonly name: string
  readonly file: string
}

/** All Debian packages that the local stack installs. */
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

/** The Debian packages that only tests use. */
export const testPackages: readonly SystemPackage[] = [
  { name: 'buildah', file: '/usr/bin/buildah' },
  { name: 'chromium', file: '/usr/bin/chromium' },
  { name: 'dbus-daemon', file: '/usr/bin/dbus-run-session' },
  { name: 'fish', file: '/usr/bin/fish' },
  { name: 'gnome-keyring', file: '/usr/bin/gnome-keyring-daemon' },
  { name: 'zsh', file: '/usr/bin/zsh' },
]

/** A program whose Debian package would start a service if installed, and where to find it. */
export interface ServiceProgram {
  readonly file: string
  readonly packages: readonly string[]
}

/** Programs that are unpacked instead of installed if missing; see unpacked-program.ts. */
export const servicePrograms = {
  nginx: { file: '/usr/sbin/nginx', packages: ['nginx', 'nginx-light'] },
} as const satisfies Readonly<Record<string, ServiceProgram>>

/** Returns the names of the packages that are not installed. */
export function missingSystemPackages(
  exists: (file: string) => boolean = existsSync,
  packages = systemPackages,
): string[] {
  return packages.filter((each) => !exists(each.file)).map((each) => each.name)
}

/** Installs missing packages as root or with sudo; throws and names them if it can't. */
export async function ensureSystemPackages(
  progress: (line: string) => void,
  packages = systemPackages,
): Promise<void> {
  const missing = missingSystemPackages(existsSync, packages)
  if (missing.length === 0) return
  const wanted = missing.join(' ')
  if (!existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `this machine has no apt-get; install the programs of these Debian packages: ${wanted}`,
    )
  }
  const asRoot = rootPrefix()
  if (!asRoot) {
    throw new Error(
      'system packages are missing; as root, run:\n' +
        `  apt-get install --no-install-recommends ${wanted}`,
    )
  }
  if (!hasPackageLists()) await aptGet(asRoot, ['update'], progress)
  const install = ['install', '--yes', '--no-install-recommends', ...missing]
  try {
    await aptGet(asRoot, install, progress)
  } catch {
    // Outdated package lists refer to versions that the mirror no longer has.
    await aptGet(asRoot, ['update'], progress)
    await aptGet(asRoot, install, progress)
  }
  const left = missingSystemPackages(existsSync, packages)
  if (left.length > 0)
    throw new Error(`packages are installed, but their files are missing: ${left.join(' ')}`)
}

/** Updates the package lists. */
export async function refreshPackageLists(progress: (line: string) => void): Promise<void> {
  const asRoot = rootPrefix()
  if (!asRoot) throw new Error('the package lists are outdated; as root, run: apt-get update')
  await aptGet(asRoot, ['update'], progress)
}

function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return []
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo', '-n']
  // At a terminal, sudo can ask for the password.
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
