import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pushImage, writeImageArchive } from '@slipway/agent-image/parts'
import { startDaemon, waitUntil } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { addresses, BRIDGE_NAME, clusterPaths, ports } from '../layout.ts'
import {
  installAddressPlugin,
  networkPlugins,
  POD_ADDRESS_PLUGIN,
} from '../network/pod-addresses.ts'
import { inMountNamespace } from './mount-namespace.ts'
import { buildPauseImage } from './pause-image.ts'
import { runCommand, tryCommand } from '../../process/run-command.ts'
import { writeIfChanged } from '../write-if-changed.ts'

/**
 * Starts a containerd that uses only the stack's directories, and imports the pause image, which
 * every pod's first container uses. The registry gets the image too, because nodes pull the images
 * of deployments again unless they are bound to a digest.
 */
export async function startContainerd(stack: Stack, pauseDirectory: string): Promise<void> {
  const paths = clusterPaths(stack)
  if (paths.containerdSocket.length > 107) {
    throw new Error(
      `${paths.containerdSocket} is too long for a socket; set SLIPWAY_RUN_DIR to a shorter path`,
    )
  }
  // The directory's name contains a hash of the program, so a changed program gets a new image
  // name.
  const pauseTag = basename(pauseDirectory)
  const pauseImage = `slipway.local/pause:${pauseTag}`
  const config = join(paths.config, 'containerd.toml')
  writeIfChanged(config, containerdConfig(stack, pauseImage))
  writeIfChanged(
    join(paths.config, 'registries/_default/hosts.toml'),
    registryHosts(stack.internet),
  )
  writeIfChanged(
    join(paths.config, 'cni/10-bridge.conflist'),
    networkConfig(join(paths.machine, 'addresses')),
  )
  installAddressPlugin(stack)
  mkdirSync(paths.images, { recursive: true, mode: 0o711 })

  const [command = '', ...args] = inMountNamespace(stack, [
    'containerd',
    '--config',
    config,
    '--log-level',
    'warn',
  ])
  await startDaemon(stack, { name: 'containerd', command, args })
  const ctr = ['--address', paths.containerdSocket, '--namespace', 'k8s.io']
  await waitUntil(
    'containerd answers',
    async () => (await tryCommand('ctr', [...ctr, 'version'])).code === 0,
    {
      timeoutMs: 30_000,
      daemon: 'containerd',
      stack,
    },
  )
  const image = await buildPauseImage(join(pauseDirectory, 'pause'), join(paths.config, 'layers'))
  await pushImage(`127.0.0.1:${ports.registry}`, 'pause', pauseTag, image)
  const images = await runCommand('ctr', [...ctr, 'images', 'list', '--quiet'])
  if (images.split('\n').includes(pauseImage)) return
  const archive = join(paths.config, 'pause.tar')
  await writeImageArchive(archive, image, pauseImage)
  await runCommand('ctr', [...ctr, 'images', 'import', archive])
}

/** Returns containerd's configuration: the stack's directories, cgroupfs, the local registry. */
export function containerdConfig(
  stack: Pick<Stack, 'stateDir' | 'runDir'>,
  pauseImage: string,
): string {
  const paths = clusterPaths(stack)
  const text = (value: string) => JSON.stringify(value)
  const plugin = (id: string) => `io.containerd.${id}`
  const unused = ['btrfs', 'zfs', 'aufs', 'devmapper'].map((name) =>
    plugin(`snapshotter.v1.${name}`),
  )
  return `version = 2
root = ${text(paths.images)}
state = ${text(paths.containerdState)}
disabled_plugins = ${JSON.stringify([...unused, plugin('internal.v1.opt')])}

[grpc]
  address = ${text(paths.containerdSocket)}

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${text(pauseImage)}
  # Without CAP_SYS_RESOURCE (for example in a container) scores can't be lowered and runc fails.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = ${text(networkPlugins(stack))}
    conf_dir = ${text(join(paths.config, 'cni'))}
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = ${text(join(paths.config, 'registries'))}
`
}

/**
 * Returns the registries for all images: the local one first, and the image's own registry only
 * with internet access.
 */
export function registryHosts(internet: boolean): string {
  const local = `http://127.0.0.1:${ports.registry}`
  const host = `[host."${local}"]\n  capabilities = ["pull", "resolve"]\n`
  return internet ? host : `server = "${local}"\n\n${host}`
}

/** Returns the CNI configuration: one bridge for all pods, addresses stored in this directory. */
export function networkConfig(addressDirectory: string): string {
  const bridge = {
    type: 'bridge',
    bridge: BRIDGE_NAME,
    isGateway: true,
    ipMasq: false,
    hairpinMode: true,
    ipam: {
      type: POD_ADDRESS_PLUGIN,
      dataDir: addressDirectory,
      ranges: [[{ subnet: addresses.nodePods }]],
      routes: [{ dst: '0.0.0.0/0' }],
    },
  }
  // The cluster has no IPv6, but pods would reach the machine and each other at link-local
  // addresses.
  const tuning = existsSync('/proc/sys/net/ipv6')
    ? [{ type: 'tuning', sysctl: { 'net.ipv6.conf.eth0.disable_ipv6': '1' } }]
    : []
  const portmap = { type: 'portmap', capabilities: { portMappings: true } }
  const network = { cniVersion: '1.0.0', name: 'slipway', plugins: [bridge, ...tuning, portmap] }
  return `${JSON.stringify(network, undefined, 2)}\n`
}
