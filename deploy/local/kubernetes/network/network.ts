import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stack } from '../../stack/stack.ts'
import { applyFirewall, removeFirewall } from './firewall.ts'
import { addresses, BRIDGE_NAME } from '../layout.ts'
import { runCommand, tryCommand } from '../../process/run-command.ts'

// Packets to services or pods that no rule or bridge handles are routed to `lo`, so they don't
// leave the machine.
const routes = [
  ['route', 'replace', addresses.services, 'dev', 'lo', 'src', addresses.node],
  ['route', 'replace', addresses.pods, 'dev', 'lo', 'metric', '4000'],
] as const

/** Kernel settings that the network needs or kubelet changes; `down` restores their values. */
const CHANGED_SETTINGS = [
  'net/ipv4/ip_forward',
  'net/bridge/bridge-nf-call-iptables',
  'kernel/panic',
  'kernel/panic_on_oops',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
]

/** Adds the node's address, the routes and the firewall rules. */
export async function setUpNetwork(stack: Stack): Promise<void> {
  if (existsSync('/sbin/modprobe'))
    await tryCommand('modprobe', [
      '-a',
      '-q',
      'br_netfilter',
      'overlay',
      'xt_NFQUEUE',
      'nfnetlink_queue',
    ])
  rememberSettings(stack)
  await runCommand('ip', ['link', 'set', 'lo', 'up'])
  await runCommand('ip', ['address', 'replace', `${addresses.node}/32`, 'dev', 'lo'])
  for (const route of routes) await runCommand('ip', route)
  await applyFirewall(stack.internet)
  writeSetting('net/ipv4/ip_forward', '1')
  writeSetting('net/bridge/bridge-nf-call-iptables', '1')
}

/** Whether the machine has the node's address. */
export async function hasNodeAddress(): Promise<boolean> {
  const { output } = await tryCommand('ip', [
    '-o',
    'address',
    'show',
    'dev',
    'lo',
    'to',
    `${addresses.node}/32`,
  ])
  return output.includes(addresses.node)
}

/**
 * Removes what `setUpNetwork`, kubelet, kube-proxy and the CNI plugins added to the machine's
 * network. Does nothing if this stack didn't set up the network, because then another stack did.
 */
export async function tearDownNetwork(stack: Stack): Promise<void> {
  if (!existsSync(settingsFile(stack))) return
  await removeFirewall()
  await tryCommand('ip', ['link', 'delete', BRIDGE_NAME])
  await tryCommand('ip', ['route', 'delete', addresses.services, 'dev', 'lo'])
  await tryCommand('ip', ['route', 'delete', addresses.pods, 'dev', 'lo'])
  await tryCommand('ip', ['address', 'delete', `${addresses.node}/32`, 'dev', 'lo'])
  restoreSettings(stack)
}

function rememberSettings(stack: Stack): void {
  const file = settingsFile(stack)
  if (existsSync(file)) return
  const found = CHANGED_SETTINGS.flatMap((name) => {
    const path = `/proc/sys/${name}`
    return existsSync(path) ? [[name, readFileSync(path, 'utf8').trim()] as const] : []
  })
  writeFileSync(file, JSON.stringify(Object.fromEntries(found)))
}

function restoreSettings(stack: Stack): void {
  const file = settingsFile(stack)
  const remembered = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  for (const [name, value] of Object.entries(remembered)) writeSetting(name, value)
  rmSync(file)
}

function writeSetting(name: string, value: string): void {
  const path = `/proc/sys/${name}`
  if (!existsSync(path) || readFileSync(path, 'utf8').trim() === value) return
  writeFileSync(path, value)
}

function settingsFile(stack: Stack): string {
  return join(stack.runDir, 'kernel-settings.json')
}
