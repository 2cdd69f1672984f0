import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stack } from '../../stack/stack.ts'
import { clusterPaths } from '../layout.ts'

/** The network plugin that gives pods their addresses. */
export const POD_ADDRESS_PLUGIN = 'slipway-addresses'

const DEBIAN_PLUGINS = '/usr/lib/cni'

/** The directory with the network plugins of the node. */
export function networkPlugins(stack: Pick<Stack, 'stateDir' | 'runDir'>): string {
  return join(clusterPaths(stack).config, 'network-plugins')
}

/**
 * Installs the plugin that gives pods their addresses, next to Debian's. It records whose an
 * address is before the pod starts; the API has the address only when the pod already runs.
 */
export function installAddressPlugin(stack: Pick<Stack, 'stateDir' | 'runDir'>): void {
  const { podAddresses } = clusterPaths(stack)
  mkdirSync(podAddresses, { recursive: true })
  const plugins = networkPlugins(stack)
  rmSync(plugins, { recursive: true, force: true })
  mkdirSync(plugins, { recursive: true })
  for (const name of readdirSync(DEBIAN_PLUGINS))
    symlinkSync(join(DEBIAN_PLUGINS, name), join(plugins, name))
  writeFileSync(join(plugins, POD_ADDRESS_PLUGIN), plugin(podAddresses), { mode: 0o755 })
}

/** CNI_ARGS contains the pod's namespace, name and uid. */
function plugin(directory: string): string {
  return `#!/bin/sh
result=$(${DEBIAN_PLUGINS}/host-local)
code=$?
address=$(printf '%s' "$result" | sed -n 's|.*"address": *"\\([0-9.]*\\)/.*|\\1|p')
if [ "$CNI_COMMAND" = ADD ] && [ -n "$address" ]; then
  file='${directory}'/$address
  printf '%s' "$CNI_ARGS" >"$file.new" && mv "$file.new" "$file" || exit 1
fi
printf '%s\\n' "$result"
exit $code
`
}
