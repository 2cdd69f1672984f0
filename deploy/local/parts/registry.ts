import { join } from 'node:path'
import { startDaemon, stopDaemon, waitUntil } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import { ports } from '../kubernetes/layout.ts'
import type { Part } from '../stack/part.ts'
import { ensureDirectory } from '../stack/stack.ts'
import { buildTool } from '../install/toolchain.ts'

/** The registry's address, which is also the first part of every image's name. */
export const REGISTRY_ADDRESS = `127.0.0.1:${ports.registry}`

/** The image registry. Builds push to it, and the cluster pulls from it. */
export const registryPart: Part = {
  name: 'registry',
  needs: [],
  ports: () => [{ host: '127.0.0.1', port: ports.registry, daemon: 'registry' }],

  async up(stack, log) {
    const program = join(await buildTool(stack, 'registry', log), 'registry')
    const directory = join(stack.stateDir, 'registry')
    ensureDirectory(stack, directory, 0o755)
    const args = ['-address', REGISTRY_ADDRESS, '-directory', directory]
    await startDaemon(stack, { name: 'registry', command: program, args, ...stack.owner })
    const isAnswering = async () => {
      try {
        return (
          await fetch(`http://${REGISTRY_ADDRESS}/v2/`, { signal: AbortSignal.timeout(1000) })
        ).ok
      } catch {
        return false
      }
    }
    await waitUntil('the registry responds', isAnswering, {
      timeoutMs: 20_000,
      daemon: 'registry',
      stack,
    })
    return { SLIPWAY_REGISTRY: REGISTRY_ADDRESS }
  },

  async down(stack) {
    await stopDaemon(stack, 'registry')
  },

  async status(stack) {
    return daemonStatuses(stack, ['registry'])
  },
}
