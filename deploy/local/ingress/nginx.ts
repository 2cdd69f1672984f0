import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { daemonPid, waitUntil } from '../process/daemon.ts'
import type { DaemonSpec } from '../process/daemon.ts'
import { runCommand } from '../process/run-command.ts'
import { VERSION_HEADER } from './nginx-configuration.ts'
import type { NginxConfiguration } from './nginx-configuration.ts'

const WORKER_ACCOUNT = 'nobody'

/** The name of nginx's daemon. */
export const NGINX_DAEMON = 'nginx'

/** An nginx: its program and its stack's run directory. */
export interface Nginx {
  readonly program: string
  readonly runDir: string
  /** Each `host:port` that it listens on; the host's clients use the first one. */
  readonly listen: readonly string[]
}

/** The file with the process id of the controller that last updated nginx. */
export function servingControllerFile(place: Pick<Nginx, 'runDir'>): string {
  return join(nginxDirectory(place), 'controller')
}

/** The directory with nginx's configuration, pid file and temporary files. */
function nginxDirectory({ runDir }: Pick<Nginx, 'runDir'>): string {
  return join(runDir, 'nginx')
}

/**
 * Returns nginx's daemon. It runs in a process namespace, so that the kernel kills the workers when
 * the first process ends for any reason. Otherwise the workers would keep the port open.
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
  return { name: NGINX_DAEMON, command: 'unshare', args, cwd: nginxDirectory(nginx) }
}

function globals(nginx: Nginx): string[] {
  const own = `${nginxDirectory(nginx)}/`
  return ['-p', own, '-e', 'stderr', '-g', `daemon off; user ${WORKER_ACCOUNT} nogroup;`]
}

/** Writes the configuration that nginx starts with. */
export function writeFirstConfiguration(nginx: Nginx, configuration: NginxConfiguration): void {
  const directory = nginxDirectory(nginx)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  writeFileSync(join(directory, 'nginx.conf'), configuration.text)
}

/** Tests a configuration, loads it into nginx, and waits until nginx uses it. */
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
  if (pid === undefined) throw new Error('nginx is not running')
  process.kill(pid, 'SIGHUP')
  const isServed = async () => (await servedVersion(nginx)) === configuration.version
  await waitUntil('nginx uses its new configuration', isServed, {
    timeoutMs: 10_000,
    stack: nginx,
  })
}

/** Signals nginx to stop. */
export function stopNginx(place: Pick<Nginx, 'runDir'>): void {
  const pid = masterPid(place)
  if (pid !== undefined) process.kill(pid, 'SIGTERM')
}

/** Returns the version of nginx's current configuration; undefined if nginx doesn't respond. */
async function servedVersion({ listen }: Pick<Nginx, 'listen'>): Promise<string | undefined> {
  const sent = request(`http://${listen[0]}/`, {
    agent: false,
    headers: { host: 'unknown.invalid' },
    timeout: 2000,
  })
  sent.once('timeout', () => sent.destroy(new Error('timeout')))
  sent.end()
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const version = response.resume().headers[VERSION_HEADER]
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** Returns the id of nginx's master, the only child of the daemon (`unshare`). */
function masterPid(place: Pick<Nginx, 'runDir'>): number | undefined {
  const daemon = daemonPid(place, NGINX_DAEMON)
  if (daemon === undefined) return undefined
  const [child] = readFileSync(`/proc/${daemon}/task/${daemon}/children`, 'utf8').trim().split(' ')
  return child === undefined || child === '' ? undefined : Number(child)
}
