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
  NGINX_DAEMON,
  nginxSpec,
  servingControllerFile,
  stopNginx,
  writeFirstConfiguration,
} from '../ingress/nginx.ts'
import { nginxConfiguration } from '../ingress/nginx-configuration.ts'
import { addresses } from '../kubernetes/layout.ts'
import type { Part } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'
import { serviceProgram } from '../install/unpacked-program.ts'

const CONTROLLER = 'ingress-controller'
/** This machine's clients use the first address, and pods the second one. */
const HOSTS = ['127.0.0.1', addresses.node]

/** Serves the cluster's Ingresses on this machine: nginx and the controller that configures it. */
export const ingressPart: Part = {
  name: 'ingress',
  needs: ['kubernetes'],
  ports: ({ settings }) =>
    HOSTS.map((host) => ({ host, port: settings.ingressPort, daemon: NGINX_DAEMON })),

  async up(stack, log) {
    const listen = HOSTS.map((host) => `${host}:${stack.settings.ingressPort}`)
    const nginx = {
      program: await serviceProgram(stack, 'nginx', log),
      runDir: stack.runDir,
      listen,
    }
    if (!isDaemonAlive(stack, NGINX_DAEMON)) {
      // A new nginx starts with an empty configuration, and needs a controller that starts over.
      await stopDaemon(stack, CONTROLLER)
      writeFirstConfiguration(nginx, nginxConfiguration([], listen))
    }
    await applyDaemon(stack, nginxSpec(nginx))

    const program = join(stack.checkout, 'deploy/local/ingress/main.ts')
    const kubeconfig = join(stack.stateDir, 'kubernetes/ingress-controller.kubeconfig')
    const options = { kubeconfig, nginx: nginx.program, 'run-dir': stack.runDir }
    const args = [
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
      ...listen.flatMap((address) => ['--listen', address]),
    ]
    await applyDaemon(stack, {
      name: CONTROLLER,
      command: process.execPath,
      args: [program, ...args],
    })
    const check = () => isServing(stack)
    await waitUntil('Ingresses are served', check, { timeoutMs: 30_000, daemon: CONTROLLER, stack })
    return { SLIPWAY_INGRESS: listen[0] ?? '' }
  },

  async down(stack) {
    await stopDaemon(stack, CONTROLLER)
    stopNginx(stack)
    await stopDaemon(stack, NGINX_DAEMON)
  },

  status: async (stack) => daemonStatuses(stack, [CONTROLLER, NGINX_DAEMON]),
}

/** Whether the running controller, not an earlier one, has updated nginx. */
function isServing(stack: Stack): boolean {
  if (!isDaemonAlive(stack, NGINX_DAEMON))
    throw new Error(`nginx has exited\n${logTail(stack, NGINX_DAEMON, 5)}`)
  try {
    return (
      Number(readFileSync(servingControllerFile(stack), 'utf8')) === daemonPid(stack, CONTROLLER)
    )
  } catch {
    return false
  }
}
