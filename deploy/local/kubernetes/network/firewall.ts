import { runCommand, tryCommand } from '../../process/run-command.ts'
import { addresses, BRIDGE_NAME, POLICY_QUEUE, REFUSED_MARK } from '../layout.ts'

/**
 * Prefixes of the cluster's chains: those of kube-proxy and kubelet, of the CNI plugins, and of the
 * rules below.
 */
const OWN_CHAIN = /^(KUBE|CNI|SLIPWAY)-/

/**
 * Returns rules, as input for iptables-restore, that keep pods on this machine and other machines
 * away from the cluster. With `internet` pods may connect anywhere, from the machine's address.
 */
export function firewallRules(internet: boolean): string {
  const bridge = BRIDGE_NAME
  const inward = `-A SLIPWAY-FORWARD ! -i ${bridge} -o ${bridge}`
  const outward = internet
    ? [`-A SLIPWAY-FORWARD -i ${bridge} ! -o ${bridge} -j ACCEPT`]
    : [`-A SLIPWAY-FORWARD -i ${bridge} ! -o ${bridge} -j REJECT`]
  // Says why: the pod gets "No route to host", not "Connection refused".
  const mark = `${REFUSED_MARK}/${REFUSED_MARK}`
  const refused = `-m mark --mark ${mark} -j REJECT --reject-with icmp-admin-prohibited`
  return [
    // Before the table `filter`, because an accepted packet skips the rest of its table.
    '*mangle',
    ':SLIPWAY-POLICIES - [0:0]',
    `-A SLIPWAY-POLICIES ! -i ${bridge} -j RETURN`,
    // All pods would get such a packet, and no policy of theirs could refuse it.
    '-A SLIPWAY-POLICIES -m addrtype --dst-type MULTICAST -j DROP',
    '-A SLIPWAY-POLICIES -m addrtype --dst-type BROADCAST -j DROP',
    '-A SLIPWAY-POLICIES -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN',
    `-A SLIPWAY-POLICIES -j NFQUEUE --queue-num ${POLICY_QUEUE}`,
    'COMMIT',
    '*filter',
    ':SLIPWAY-FORWARD - [0:0]',
    `-A SLIPWAY-FORWARD ${refused}`,
    ...outward,
    `${inward} -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT`,
    // The pods need IP forwarding, but other machines must not reach pods through this one.
    `${inward} -j REJECT`,
    `-A SLIPWAY-FORWARD -i ${bridge} -o ${bridge} -j ACCEPT`,
    ':SLIPWAY-INPUT - [0:0]',
    `-A SLIPWAY-INPUT ${refused}`,
    // Linux accepts packets to any of its addresses on every interface, but the node's address is
    // for this machine only.
    '-A SLIPWAY-INPUT -i lo -j RETURN',
    // Policies don't know the machine's other addresses, which may look like the internet.
    `-A SLIPWAY-INPUT -i ${bridge} -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN`,
    `-A SLIPWAY-INPUT -i ${bridge} -d ${addresses.node} -j RETURN`,
    `-A SLIPWAY-INPUT -i ${bridge} -j REJECT`,
    `-A SLIPWAY-INPUT -d ${addresses.node} -j REJECT`,
    'COMMIT',
    '*nat',
    ':SLIPWAY-POSTROUTING - [0:0]',
    ...(internet
      ? [`-A SLIPWAY-POSTROUTING -s ${addresses.nodePods} ! -d ${addresses.pods} -j MASQUERADE`]
      : []),
    'COMMIT',
    '',
  ].join('\n')
}

const jumps = [
  ['mangle', 'FORWARD', 'SLIPWAY-POLICIES'],
  ['mangle', 'INPUT', 'SLIPWAY-POLICIES'],
  ['filter', 'FORWARD', 'SLIPWAY-FORWARD'],
  ['filter', 'INPUT', 'SLIPWAY-INPUT'],
  ['nat', 'POSTROUTING', 'SLIPWAY-POSTROUTING'],
] as const

/** Installs the rules; they may be installed already. */
export async function applyFirewall(internet: boolean): Promise<void> {
  await runCommand('iptables-restore', ['--noflush', '--wait', '10'], firewallRules(internet))
  for (const [table, from, to] of jumps) {
    const { code } = await tryCommand('iptables', [
      '--wait',
      '10',
      '-t',
      table,
      '-C',
      from,
      '-j',
      to,
    ])
    if (code !== 0)
      await runCommand('iptables', ['--wait', '10', '-t', table, '-I', from, '-j', to])
  }
}

/** Removes the cluster's chains and the jumps to them, for IPv4 and IPv6. */
export async function removeFirewall(): Promise<void> {
  for (const family of ['iptables', 'ip6tables']) {
    const saved = await tryCommand(`${family}-save`, [])
    const script = saved.code === 0 ? removalScript(saved.output) : ''
    if (script !== '') await runCommand(`${family}-restore`, ['--noflush', '--wait', '10'], script)
  }
}

/**
 * Turns output of iptables-save into input for iptables-restore that removes the cluster's chains
 * and the jumps to them.
 */
export function removalScript(saved: string): string {
  const tables = saved.split(/^(?=\*)/m).filter((part) => part.startsWith('*'))
  const scripts = tables.flatMap((table) => {
    const lines = table.split('\n')
    const chains = lines
      .flatMap((line) => /^:(\S+)/.exec(line)?.[1] ?? [])
      .filter((name) => OWN_CHAIN.test(name))
    if (chains.length === 0) return []
    const rules = lines.filter((line) => {
      const [, chain, target] = /^-A (\S+) .*?-[jg] (\S+)/.exec(line) ?? []
      return (
        chain !== undefined &&
        target !== undefined &&
        !OWN_CHAIN.test(chain) &&
        OWN_CHAIN.test(target)
      )
    })
    return [
      lines[0] ?? '',
      ...rules.map((rule) => rule.replace(/^-A /, '-D ')),
      ...chains.map((chain) => `-F ${chain}`),
      ...chains.map((chain) => `-X ${chain}`),
      'COMMIT',
    ]
  })
  return scripts.length === 0 ? '' : `${scripts.join('\n')}\n`
}

/** Returns the commands that remove the cluster's current chains and the jumps to them. */
export async function ownFirewallLines(): Promise<string[]> {
  const families = await Promise.all(
    ['iptables-save', 'ip6tables-save'].map((each) => tryCommand(each, [])),
  )
  return families.flatMap(({ output }) =>
    removalScript(output)
      .split('\n')
      .filter((line) => line.startsWith('-D') || line.startsWith('-X')),
  )
}
