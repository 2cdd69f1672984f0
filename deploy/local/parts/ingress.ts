import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyDaemon,
  daemonPid,
  isDaemonAlive,
  logTail,
  stopDaemon,
  waitUntil,
} from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import {
  nginxDaemon,
  nginxSpec,
  servingControllerFile,
  stopNginx,
  writeFirstConfiguration,
} from '../ingress/nginx.ts'
import { nginxConfiguration } from '../ingress/nginx-configuration.ts'
import type { Part } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'
import { serviceProgram } from '../install/unpacked-program.ts'

const controller = 'ingress-controller'

/** Serves the cluster's Ingresses on this machine: nginx and the controller that configures it. */
export const ingressPart: Part = {
  name: 'ingress',
  needs: ['kubernetes'],
  ports: (stack) => [{ host: '127.0.0.1', port: stack.settings.ingressPort, daemon: nginxDaemon }],

  async up(stack, log) {
    const listen = `127.0.0.1:${stack.settings.ingressPort}`
    const nginx = {
      program: await serviceProgram(stack, 'nginx', log),
      runDir: stack.runDir,
      listen,
    }
    if (!isDaemonAlive(stack, nginxDaemon)) {
      // A new nginx starts with an empty configuration, and needs a controller that starts over.
      await stopDaemon(stack, controller)
      writeFirstConfiguration(nginx, nginxConfiguration([], listen))
    }
    await applyDaemon(stack, nginxSpec(nginx))

    const program = join(stack.checkout, 'deploy/local/ingress/main.ts')
    const kubeconfig = join(stack.stateDir, 'kubernetes/ingress-controller.kubeconfig')
    const options = { kubeconfig, nginx: nginx.program, 'run-dir': stack.runDir, listen }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    await applyDaemon(stack, {
      name: controller,
      command: process.execPath,
      args: [program, ...args],
    })
    const check = () => isServing(stack)
    await waitUntil('Ingresses are served', check, { timeoutMs: 30_000, daemon: controller, stack })
    return { SLIPWAY_INGRESS: listen }
  },

  async down(stack) {
    await stopDaemon(stack, controller)
    stopNginx(stack)
    await stopDaemon(stack, nginxDaemon)
  },

  status: async (stack) => daemonStatuses(stack, [controller, nginxDaemon]),
}

/** Whether the running controller, not an earlier one, has updated nginx. */
function isServing(stack: Stack): boolean {
  if (!isDaemonAlive(stack, nginxDaemon))
    throw new Error(`nginx has ended\n${logTail(stack, nginxDaemon, 5)}`)
  try {
    return (
      Number(readFileSync(servingControllerFile(stack), 'utf8')) === daemonPid(stack, controller)
    )
  } catch {
    return false
  }
}
