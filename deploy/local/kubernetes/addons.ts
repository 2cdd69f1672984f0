import { join } from 'node:path'
import { runCommand } from './run-command.ts'
import type { Stack } from '../stack.ts'

/** The ServiceAccount that the deployer acts under. */
export const deployerAccount = { namespace: 'slipway-system', name: 'slipway-deployer' } as const

/** The deployer's identity and rights, the same file that an operator applies elsewhere. */
export function deployerRights(stack: Pick<Stack, 'checkout'>): string {
  return join(stack.checkout, 'deploy/kubernetes/deployer-rbac.yaml')
}

/** What only the local cluster needs. */
export function localAddons(stack: Pick<Stack, 'checkout'>): string {
  return join(stack.checkout, 'deploy/local/kubernetes/addons.yaml')
}

/** Applies manifests; again is the same as once. */
export async function applyManifests(kubectl: string, kubeconfig: string, files: readonly string[]): Promise<void> {
  const options = ['--server-side', '--force-conflicts', '--field-manager=slipway-local']
  const named = files.flatMap((file) => ['--filename', file])
  await runCommand(kubectl, ['--kubeconfig', kubeconfig, 'apply', ...options, ...named])
}
