import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pushImage } from '@slipway/agent-image/parts'
import { INGRESS_CLASS, INGRESS_DOMAIN } from '../ingress/routes.ts'
import type { Service } from '../ingress/routes.ts'
import { buildPlatformImage, PLATFORM_IMAGES } from '../install/platform-images.ts'
import { buildTool } from '../install/toolchain.ts'
import { createApiClient } from '../kubernetes/client.ts'
import { addresses, clusterPaths } from '../kubernetes/layout.ts'
import { runCommand } from '../process/run-command.ts'
import type { Part } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'
import { REGISTRY_ADDRESS } from './registry.ts'

const RELEASE = 'slipway'
const NAMESPACE = 'slipway'
const INSTALL_TIMEOUT = '10m'

/** Slipway as a release of its chart in the stack's cluster, with the demo profile. */
export const releasePart: Part = {
  name: 'release',
  needs: ['kubernetes', 'ingress', 'registry', 'images'],

  async up(stack, log) {
    const digests = await pushImages(stack, log)
    const values = join(stack.runDir, 'release-values.json')
    writeFileSync(values, JSON.stringify(releaseValues(stack, digests), null, 2))
    log('installing the chart')
    await helm(stack, [
      'upgrade',
      RELEASE,
      join(stack.checkout, 'deploy/helm/slipway'),
      '--install',
      '--create-namespace',
      `--values=${values}`,
      '--wait',
      `--timeout=${INSTALL_TIMEOUT}`,
    ])
    return {
      SLIPWAY_URL: inClusterUrl(stack, 'api'),
      SLIPWAY_ISSUER: inClusterUrl(stack, 'login'),
      SLIPWAY_OTLP_URL: `http://${await clusterAddress(stack, `${RELEASE}-ingest`)}:4318`,
    }
  },

  // The cluster stops with its pods, and the next `up` finds them again.
  async down() {},

  async status(stack) {
    try {
      const { info } = JSON.parse(await helm(stack, ['status', RELEASE, '--output=json'])) as {
        info: { status: string }
      }
      const isUp = info.status === 'deployed'
      return [{ name: RELEASE, state: isUp ? 'running' : 'crashed', detail: info.status }]
    } catch {
      return [{ name: RELEASE, state: 'stopped' }]
    }
  },
}

/** Runs the test of the release; throws with the log of the test if it fails. */
export async function testRelease(stack: Stack): Promise<string> {
  return await helm(stack, ['test', RELEASE, '--logs', '--timeout=5m'])
}

async function helm(stack: Stack, args: readonly string[]): Promise<string> {
  const program = join(await buildTool(stack, 'helm', () => undefined), 'helm')
  const access = ['--kubeconfig', clusterPaths(stack).adminKubeconfig, '--namespace', NAMESPACE]
  return await runCommand(program, [...args, ...access])
}

/** The address of a Service, which this machine can reach as well. */
async function clusterAddress(stack: Stack, service: string): Promise<string> {
  const client = createApiClient(clusterPaths(stack).adminKubeconfig)
  const path = `/api/v1/namespaces/${NAMESPACE}/services/${service}`
  return ((await client.call('GET', path)) as Service).spec.clusterIP ?? ''
}

/** The URL of a host of the release at the stack's ingress controller. */
function inClusterUrl({ settings }: Stack, host: 'api' | 'login'): string {
  return `http://${host}.${INGRESS_DOMAIN}:${settings.ingressPort}`
}

async function pushImages(
  stack: Stack,
  log: (line: string) => void,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const name of PLATFORM_IMAGES) {
    const image = await buildPlatformImage(stack, name, log)
    const { digest } = await pushImage(REGISTRY_ADDRESS, `slipway/${name}`, 'local', image, {
      progress: log,
    })
    digests[name] = digest
  }
  return digests
}

function releaseValues(stack: Stack, digests: Readonly<Record<string, string>>): object {
  // nginx runs on the node; pods see the address of the node or of their bridge.
  const proxies = [addresses.node, addresses.bridge].map((address) => `${address}/32`)
  const hosts = ['api', 'login'].map((name) => `${name}.${INGRESS_DOMAIN}`)
  return {
    profile: 'demo',
    image: { registry: REGISTRY_ADDRESS, digests },
    defaults: {
      // The demo fits on a small machine.
      resources: { requests: { cpu: '10m', memory: '64Mi' } },
      // Pods reach the ingress controller at the node's address.
      hostAliases: [{ ip: addresses.node, hostnames: hosts }],
    },
    observability: { resources: { requests: { cpu: '10m', memory: '512Mi' } } },
    demo: { issuer: inClusterUrl(stack, 'login') },
    publicUrl: inClusterUrl(stack, 'api'),
    ingress: { enabled: true, className: INGRESS_CLASS, host: hosts[0] },
    trustedProxies: proxies,
    agents: {
      // The DNS server runs on the node.
      dnsPeers: [{ ipBlock: { cidr: `${addresses.node}/32` } }],
      ingress: {
        domain: INGRESS_DOMAIN,
        shareSite: true, // the demo's agents are its own
        className: INGRESS_CLASS,
        scheme: 'http',
        port: stack.settings.ingressPort,
        peers: proxies.map((cidr) => ({ ipBlock: { cidr } })),
      },
    },
  }
}
