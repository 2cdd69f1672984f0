import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { daemonPid, waitUntil } from '../process/daemon.ts'
import type { DaemonSpec } from '../process/daemon.ts'
import { runCommand } from '../process/run-command.ts'
import { versionHeader } from './nginx-configuration.ts'
import type { NginxConfiguration } from './nginx-configuration.ts'

/** The name of nginx's own daemon. */
export const nginxDaemon = 'nginx'

/**
 * One nginx: its program, the run directory of its stack, and the address (host:port) that it
 * listens on.
 */
export interface Nginx {
  readonly program: string
  readonly runDir: string
  readonly listen: string
}

/** Holds the process id of the controller that has brought nginx up to date. */
export function servingControllerFile(place: Pick<Nginx, 'runDir'>): string {
  return join(nginxDirectory(place), 'controller')
}

/** What nginx keeps (configuration, pid, temporary files), all in a directory of its own. */
function nginxDirectory({ runDir }: Pick<Nginx, 'runDir'>): string {
  return join(runDir, 'nginx')
}

/**
 * The daemon. It lives in a process namespace: when its first process goes, however that happens,
 * the kernel takes the workers along, which would keep the port otherwise.
 */
export function nginxSpec(nginx: Nginx): DaemonSpec {
  const args = [
    '--pid',
    '--fork',
    '--kill-child',
    '--',
    nginx.program,
    ...globals(nginx),
    '-c',
    'nginx.conf',
  ]
  return { name: nginxDaemon, command: 'unshare', args, cwd: nginxDirectory(nginx) }
}

function globals(nginx: Nginx): string[] {
  const own = `${nginxDirectory(nginx)}/`
  return ['-p', own, '-e', 'stderr', '-g', 'daemon off; user nobody nogroup;']
}

/** Gives nginx a configuration to start with. */
export function writeFirstConfiguration(nginx: Nginx, configuration: NginxConfiguration): void {
  const directory = nginxDirectory(nginx)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  writeFileSync(join(directory, 'nginx.conf'), configuration.text)
}

/** Has nginx test a configuration, use it, and say that it does. */
export async function applyConfiguration(
  nginx: Nginx,
  configuration: NginxConfiguration,
): Promise<void> {
  const file = join(nginxDirectory(nginx), 'nginx.conf')
  const isWritten = existsSync(file) && readFileSync(file, 'utf8') === configuration.text
  if (isWritten && (await servedVersion(nginx)) === configuration.version) return
  if (!isWritten) {
    const draft = `${file}.new`
    writeFileSync(draft, configuration.text)
    await runCommand(nginx.program, [...globals(nginx), '-t', '-q', '-c', 'nginx.conf.new'])
    renameSync(draft, file)
  }
  const pid = masterPid(nginx)
  if (pid === undefined) throw new Error('nginx does not run')
  process.kill(pid, 'SIGHUP')
  const isServed = async () => (await servedVersion(nginx)) === configuration.version
  await waitUntil('nginx has taken over its configuration', isServed, {
    timeoutMs: 10_000,
    stack: nginx,
  })
}

/** Asks nginx to end. */
export function stopNginx(place: Pick<Nginx, 'runDir'>): void {
  const pid = masterPid(place)
  if (pid !== undefined) process.kill(pid, 'SIGTERM')
}

/** The version of the configuration by which nginx answers; undefined when it doesn't. */
async function servedVersion({ listen }: Pick<Nginx, 'listen'>): Promise<string | undefined> {
  const sent = request(`http://${listen}/`, {
    agent: false,
    headers: { host: 'nobody.invalid' },
    timeout: 2000,
  })
  sent.once('timeout', () => sent.destroy(new Error('timeout')))
  sent.end()
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const version = response.resume().headers[versionHeader]
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** nginx's first process: the only child of the daemon, whose id inside of its namespace is 1. */
function masterPid(place: Pick<Nginx, 'runDir'>): number | undefined {
  const daemon = daemonPid(place, nginxDaemon)
  if (daemon === undefined) return undefined
  const [child] = readFileSync(`/proc/${daemon}/task/${daemon}/children`, 'utf8').trim().split(' ')
  return child === undefined || child === '' ? undefined : Number(child)
}
