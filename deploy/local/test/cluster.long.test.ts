import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemonPid } from '../process/daemon.ts'
import { runCommand, tryCommand } from '../process/run-command.ts'
import type { PartStatus } from '../stack/part.ts'
import { stackDirectories } from '../stack/stack.ts'
import { makeNetworkNamespace } from '../process/network-namespace.ts'
import type { NetworkNamespace } from '../process/network-namespace.ts'
import { buildTool } from '../install/toolchain.ts'

// The life of a cluster next to other stacks on this machine: up, crash, repair, down, up, purge.
// Needs root.

const state = mkdtempSync(join(tmpdir(), 'slipway-cluster-'))
const env = { ...process.env, SLIPWAY_STATE_DIR: state }
const directories = stackDirectories(env)
let namespace: NetworkNamespace
let guard: ChildProcess
let kubeconfig = ''
let kubectlProgram = ''
let pauseImage = ''

function commandLine(name: string): [string, ...string[]] {
  const line = ['env', `SLIPWAY_STATE_DIR=${env.SLIPWAY_STATE_DIR}`, process.execPath]
  const [first = '', ...rest] = namespace.enter([
    ...line,
    join(import.meta.dirname, 'support/cluster-command.ts'),
    name,
  ])
  return [first, ...rest]
}

async function command(name: 'up' | 'down' | 'status' | 'leftovers'): Promise<unknown> {
  const [first, ...rest] = commandLine(name)
  return JSON.parse(await runCommand(first, rest))
}

async function kubectl(args: readonly string[], input?: unknown): Promise<string> {
  const [first = '', ...rest] = namespace.enter([
    kubectlProgram,
    '--kubeconfig',
    kubeconfig,
    ...args,
  ])
  return await runCommand(first, rest, input === undefined ? undefined : JSON.stringify(input))
}

async function up(): Promise<void> {
  kubeconfig = ((await command('up')) as { KUBECONFIG: string }).KUBECONFIG
}

const crashed = async () =>
  ((await command('status')) as PartStatus[])
    .filter(({ state: is }) => is !== 'running')
    .map(({ name }) => name)

function kill(...names: string[]): void {
  for (const name of names) {
    const pid = daemonPid(directories, name)
    if (pid === undefined) throw new Error(`${name} is not running`)
    process.kill(pid, 'SIGKILL')
  }
}

async function available(): Promise<string> {
  await kubectl(['wait', 'deployment/sleeper', '--for=condition=Available', '--timeout=60s'])
  const path = 'jsonpath={.items[0].status.containerStatuses[0].containerID}'
  return await kubectl(['get', 'pods', '--selector=app=sleeper', '--output', path])
}

describe.skipIf(process.getuid?.() !== 0)('a second cluster', () => {
  beforeAll(async () => {
    namespace = await makeNetworkNamespace()
    const [first, ...rest] = commandLine('guard')
    guard = spawn(first, rest, { detached: true, stdio: ['pipe', 'ignore', 'inherit'] })
    kubectlProgram = join(await buildTool(directories, 'kubernetes', () => undefined), 'kubectl')
    // The only image that every node has.
    const pauseDirectory = await buildTool(directories, 'pause', () => undefined)
    pauseImage = `slipway.local/pause:${basename(pauseDirectory)}`
  })
  afterAll(async () => {
    guard.stdin?.end()
    await once(guard, 'close')
    await namespace.close()
    rmSync(state, { recursive: true, force: true })
  })

  test('starts from nothing and runs a restricted pod with a volume', async () => {
    await up()
    expect(await crashed()).toEqual([])
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } }
    await kubectl(['apply', '-f', '-'], {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: claim,
    })
    await kubectl([
      'label',
      'namespace',
      'default',
      'pod-security.kubernetes.io/enforce=restricted',
    ])
    await kubectl(['apply', '-f', '-'], sleeper())
    expect(await available()).toMatch('containerd://')
  })

  test('reports crashed processes, and restarts them without touching the containers', async () => {
    const container = await available()
    kill('kubelet', 'kube-apiserver', 'containerd', 'nginx')
    expect((await crashed()).toSorted()).toEqual([
      'containerd',
      'kube-apiserver',
      'kubelet',
      'nginx',
    ])
    await up()
    expect(await crashed()).toEqual([])
    expect(await available()).toBe(container)
  })

  test('leaves nothing behind after down, and restarts its pods after up', async () => {
    await command('down')
    expect(await command('leftovers')).toEqual([])
    await up()
    expect(await available()).toMatch('containerd://')
    const api = 'apiservice/v1beta1.metrics.k8s.io'
    await kubectl(['wait', api, '--for=condition=Available', '--timeout=60s'])
  })

  test('leaves nothing behind after down if everything but the containers was killed', async () => {
    kill(
      'kubelet',
      'containerd',
      'kube-apiserver',
      'etcd',
      'kube-proxy',
      'coredns',
      'network-policies',
      'cluster-agent',
      'registry',
    )
    kill('metrics-server', 'ingress-controller', 'nginx')
    await command('down')
    expect(await command('leftovers')).toEqual([])
    expect((await tryCommand('ls', ['/run/netns'])).output).not.toMatch('cni-')
  })

  function sleeper() {
    const container = {
      name: 'sleeper',
      image: pauseImage,
      imagePullPolicy: 'IfNotPresent',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    }
    const security = {
      runAsNonRoot: true,
      runAsUser: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    }
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'sleeper' },
      spec: {
        selector: { matchLabels: { app: 'sleeper' } },
        template: {
          metadata: { labels: { app: 'sleeper' } },
          spec: { containers: [container], securityContext: security, volumes },
        },
      },
    }
  }
})
