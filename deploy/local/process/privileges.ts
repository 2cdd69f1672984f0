import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { replacementKeys } from '../stack/settings.ts'

// sudo drops the environment; these say which stack it is and what it is made of.
const kept = ['SLIPWAY_STATE_DIR', 'SLIPWAY_RUN_DIR', 'SLIPWAY_CACHE_DIR', ...replacementKeys]

/**
 * Runs the same command as root by sudo, unless it runs as root already; returns its exit code
 * then. The cluster's processes need root; all others drop back to the caller.
 */
export function runAsRoot(args: readonly string[]): number | undefined {
  if (process.getuid?.() === 0) return undefined
  const main = join(import.meta.dirname, '../main.ts')
  const canAsk = process.stdin.isTTY
  const result = spawnSync(
    'sudo',
    [
      ...(canAsk ? [] : ['-n']),
      `--preserve-env=${kept.join(',')}`,
      '--',
      process.execPath,
      main,
      ...args,
    ],
    { stdio: 'inherit' },
  )
  if (result.error) {
    throw new Error(
      'the Kubernetes node needs root: install sudo, run this as root, or use another cluster (--kubeconfig)',
      {
        cause: result.error,
      },
    )
  }
  return result.status ?? 1
}
