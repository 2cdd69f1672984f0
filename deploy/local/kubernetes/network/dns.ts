import { join } from 'node:path'
import { startDaemon, waitUntil } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { addresses, clusterPaths, ports } from '../layout.ts'
import { writeIfChanged } from '../write-if-changed.ts'

/** Starts CoreDNS on the node's address and returns when it can resolve the cluster's services. */
export async function startDns(stack: Stack, directory: string): Promise<void> {
  const file = join(clusterPaths(stack).config, 'Corefile')
  writeIfChanged(
    file,
    corefile(join(stack.stateDir, 'kubernetes/coredns.kubeconfig'), stack.internet),
  )
  await startDaemon(stack, {
    name: 'coredns',
    command: join(directory, 'coredns'),
    args: ['-conf', file],
  })
  const isReady = async () => {
    try {
      const answer = await fetch(`http://127.0.0.1:${ports.dnsReady}/ready`, {
        signal: AbortSignal.timeout(1000),
      })
      return answer.ok
    } catch {
      return false
    }
  }
  await waitUntil('CoreDNS is ready', isReady, { timeoutMs: 30_000, daemon: 'coredns', stack })
}

/**
 * Returns CoreDNS's configuration. Names outside the cluster are forwarded to the machine's
 * resolver with internet access, and don't exist without it.
 */
export function corefile(kubeconfig: string, internet: boolean): string {
  const others = internet
    ? '  forward . /etc/resolv.conf'
    : '  template ANY ANY . {\n    rcode NXDOMAIN\n  }'
  return `.:${ports.dns} {
  bind ${addresses.node}
  ready 127.0.0.1:${ports.dnsReady}
  errors
  cache 5
  kubernetes cluster.local in-addr.arpa {
    kubeconfig ${kubeconfig} slipway
    pods insecure
    ttl 5
  }
${others}
}
`
}
