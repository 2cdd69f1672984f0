import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { cgroupDirectories } from '../../kubernetes/node/cgroups.ts'
import { ownFirewallLines } from '../../kubernetes/network/firewall.ts'
import { addresses, BRIDGE_NAME } from '../../kubernetes/layout.ts'
import { tryCommand } from '../../process/run-command.ts'
import { isProcessAlive, processStartTime } from '../../process/process-table.ts'
import type { Stack } from '../../stack/stack.ts'

/**
 * Returns what a stack has left on the machine, in this network namespace, one line each:
 * processes, mounts, interfaces, addresses, routes, cgroups and firewall rules. After `down` it is
 * empty.
 */
export async function findLeftovers(
  stack: Pick<Stack, 'stateDir' | 'runDir' | 'cgroup'>,
): Promise<string[]> {
  const [links, lo, routes, firewall] = await Promise.all([
    tryCommand('ip', ['-o', 'link', 'show']),
    tryCommand('ip', ['-o', 'address', 'show', 'dev', 'lo']),
    tryCommand('ip', ['route', 'show', 'table', 'main']),
    ownFirewallLines(),
  ])
  const own = [stack.stateDir, stack.runDir]
  const namesOwn = (text: string) => own.some((directory) => text.includes(directory))
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
  const mounts = lines(readFileSync('/proc/mounts', 'utf8'))
  const interfaces = lines(links.output).filter(
    (line) => line.includes(`${BRIDGE_NAME}:`) || line.includes(`master ${BRIDGE_NAME}`),
  )
  const ownRoutes = lines(routes.output).filter((line) =>
    [addresses.services, addresses.pods, addresses.nodePods].some((range) =>
      line.startsWith(range),
    ),
  )
  return [
    ...ownProcesses(namesOwn).map((process) => `process ${process}`),
    ...mounts.filter(namesOwn).map((mount) => `mount ${mount}`),
    ...interfaces.map((line) => `interface ${line}`),
    ...lines(lo.output)
      .filter((line) => line.includes(` ${addresses.node}/`))
      .map((line) => `address ${line}`),
    ...ownRoutes.map((line) => `route ${line}`),
    ...cgroupDirectories(stack.cgroup)
      .filter(existsSync)
      .map((directory) => `cgroup ${directory}`),
    ...firewall.map((line) => `firewall ${line}`),
  ]
}

// Daemons have a path of the stack in their arguments or their working directory. Containers are
// found by their cgroup.
function ownProcesses(namesOwn: (text: string) => boolean): string[] {
  const pids = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )
  return pids.flatMap((name) => {
    const pid = Number(name)
    const startTime = processStartTime(pid)
    if (startTime === undefined || !isProcessAlive({ pid, startTime })) return []
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return namesOwn(command) || namesOwn(`${readlinkSync(`/proc/${pid}/cwd`)}/`)
        ? [`${pid} ${command.slice(0, 200)}`]
        : []
    } catch {
      return [] // the process has ended, or belongs to another user
    }
  })
}
