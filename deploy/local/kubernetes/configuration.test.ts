import { describe, expect, test } from 'vitest'
import { containerdConfig, networkConfig, registryHosts } from './node/containerd.ts'
import { corefile } from './network/dns.ts'
import { kubeconfig } from './kubeconfig.ts'
import { kubeletConfiguration, proxyConfiguration } from './node/node.ts'

const stack = { stateDir: '/home/x y/.slipway', runDir: '/run/slipway-0', cgroup: '/slipway-0' }

test('containerd and kubelet use only the stack’s directories', () => {
  const config = containerdConfig(stack, 'slipway.local/pause:1')
  expect(config).toContain('root = "/home/x y/.slipway/kubernetes/containerd"')
  expect(config).toContain('address = "/run/slipway-0/containerd.sock"')
  expect(config).toContain('sandbox_image = "slipway.local/pause:1"')
  const kubelet = JSON.parse(kubeletConfiguration(stack)) as Record<string, unknown>
  expect(kubelet).toMatchObject({
    cgroupRoot: '/slipway-0',
    containerRuntimeEndpoint: 'unix:///run/slipway-0/containerd.sock',
    podLogsDir: '/home/x y/.slipway/kubernetes/pod-logs',
  })
})

describe('internet access', () => {
  test('is off by default: only the local registry and the cluster’s names', () => {
    expect(registryHosts(false)).toContain('server = "http://127.0.0.1:5000"')
    expect(corefile('/k', false)).toContain('rcode NXDOMAIN')
    expect(corefile('/k', false)).not.toContain('forward')
  })

  test('adds other registries after the local one, and the machine’s resolver', () => {
    expect(registryHosts(true)).not.toContain('server =')
    expect(registryHosts(true)).toContain('[host."http://127.0.0.1:5000"]')
    expect(corefile('/k', true)).toContain('forward . /etc/resolv.conf')
  })
})

test('kube-proxy changes no kernel setting and serves node ports on the node only', () => {
  expect(JSON.parse(proxyConfiguration('/k'))).toMatchObject({
    conntrack: { maxPerCore: 0, min: 0 },
    iptables: { localhostNodePorts: false },
    nodePortAddresses: ['10.240.0.1/32'],
  })
})

test('pods share a bridge without masquerading', () => {
  const { plugins } = JSON.parse(networkConfig('/run/x')) as { plugins: { type: string }[] }
  expect(plugins[0]).toMatchObject({ type: 'bridge', ipMasq: false, ipam: { dataDir: '/run/x' } })
  expect(plugins.at(-1)).toMatchObject({ type: 'portmap' })
})

test('a kubeconfig can refer to a token file', () => {
  expect(JSON.parse(kubeconfig({ server: 'https://h:1' }, { tokenFile: '/t' }))).toMatchObject({
    'current-context': 'slipway',
    clusters: [{ cluster: { server: 'https://h:1' } }],
    users: [{ user: { tokenFile: '/t' } }],
  })
})
