import type { Stack } from '../stack.ts'
import { kubeconfig } from './kubeconfig.ts'
import type { ClusterEntry } from './kubeconfig.ts'
import { clusterPaths } from './layout.ts'
import { giveToOwner } from './owner.ts'
import { runCommand } from './run-command.ts'
import { writeIfChanged } from './write-if-changed.ts'

/** Writes the kubeconfig by which the deployer reaches the cluster under its own ServiceAccount. */
export async function writeDeployerKubeconfig(stack: Stack, kubectl: string, adminKubeconfig: string): Promise<void> {
  const paths = clusterPaths(stack)
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '--output=json']
  const shown = await runCommand(kubectl, ['--kubeconfig', adminKubeconfig, ...view])
  const { clusters } = JSON.parse(shown) as { clusters: [{ cluster: ClusterEntry }] }
  writeIfChanged(paths.deployerKubeconfig, kubeconfig(clusters[0].cluster, { tokenFile: paths.deployerToken }), 0o600)
  giveToOwner(stack, paths.deployerKubeconfig)
}
