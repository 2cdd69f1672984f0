import type { Stack } from '../stack/stack.ts'
import { kubeconfig } from './kubeconfig.ts'
import type { ClusterEntry } from './kubeconfig.ts'
import { clusterPaths } from './layout.ts'
import { giveToOwner } from './owner.ts'
import { runCommand } from '../process/run-command.ts'
import { writeIfChanged } from './write-if-changed.ts'

/** Writes the kubeconfig with which the deployer uses the cluster as its own ServiceAccount. */
export async function writeDeployerKubeconfig(
  stack: Stack,
  kubectl: string,
  adminKubeconfig: string,
): Promise<void> {
  const { deployerKubeconfig, deployerToken } = clusterPaths(stack)
  await writeTokenKubeconfig(deployerKubeconfig, {
    kubectl,
    adminKubeconfig,
    tokenFile: deployerToken,
  })
  giveToOwner(stack, deployerKubeconfig)
}

/** Writes a kubeconfig for the administrator's cluster, with a user whose token is in a file. */
export async function writeTokenKubeconfig(
  file: string,
  from: { readonly kubectl: string; readonly adminKubeconfig: string; readonly tokenFile: string },
): Promise<void> {
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '--output=json']
  const shown = await runCommand(from.kubectl, ['--kubeconfig', from.adminKubeconfig, ...view])
  const { clusters } = JSON.parse(shown) as { clusters: [{ cluster: ClusterEntry }] }
  writeIfChanged(file, kubeconfig(clusters[0].cluster, { tokenFile: from.tokenFile }), 0o600)
}
