import { join } from 'node:path'
import { runCommand } from '../process/run-command.ts'
import type { Stack } from '../stack/stack.ts'

/** The ServiceAccount that the deployer acts under. */
export const deployerAccount = { namespace: 'slipway-system', name: 'slipway-deployer' } as const

/**
 * The manifests with the deployer's identity and permissions, which operators also apply to other
 * clusters.
 */
export function deployerRights(stack: Pick<Stack, 'checkout'>): string {
  return join(stack.checkout, 'deploy/kubernetes')
}

/** The manifest with what only the local cluster needs. */
export function localAddons(stack: Pick<Stack, 'checkout'>): string {
  return join(stack.checkout, 'deploy/local/kubernetes/addons.yaml')
}

/** Applies manifests with server-side apply. kubectl caches the API's schema in `cache`. */
export async function applyManifests(
  access: { readonly kubectl: string; readonly kubeconfig: string; readonly cache: string },
  files: readonly string[],
): Promise<void> {
  const flags = ['--kubeconfig', access.kubeconfig, '--cache-dir', access.cache]
  const options = ['--server-side', '--force-conflicts', '--field-manager=slipway-local']
  await runCommand(access.kubectl, [
    ...flags,
    'apply',
    ...options,
    ...files.flatMap((file) => ['--filename', file]),
  ])
}
