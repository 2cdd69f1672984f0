import { spawnSync } from 'node:child_process'
import { REPLACEMENT_KEYS } from '../stack/settings.ts'

// sudo drops the environment, except these variables, which select the stack and its parts.
const KEPT_VARIABLES = [
  'SLIPWAY_STATE_DIR',
  'SLIPWAY_RUN_DIR',
  'SLIPWAY_CACHE_DIR',
  ...REPLACEMENT_KEYS,
]

/**
 * Runs the same command again with sudo and returns its exit code, or undefined if this process is
 * root already. The cluster's processes need root; all others run as the caller.
 */
export function runAsRoot(args: readonly string[]): number | undefined {
  if (process.getuid?.() === 0) return undefined
  const canAsk = process.stdin.isTTY
  const result = spawnSync(
    'sudo',
    [
      ...(canAsk ? [] : ['-n']),
      `--preserve-env=${KEPT_VARIABLES.join(',')}`,
      '--',
      process.execPath,
      ...process.execArgv,
      process.argv[1] ?? '',
      ...args,
    ],
    { stdio: 'inherit' },
  )
  if (result.error) {
    throw new Error(
      'the Kubernetes node needs root: install sudo, run this command as root, ' +
        'or use another cluster with `./dev up --kubeconfig FILE`',
      {
        cause: result.error,
      },
    )
  }
  return result.status ?? 1
}
