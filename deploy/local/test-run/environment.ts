import { REPLACEMENT_KEYS } from '../stack/settings.ts'

/**
 * The environment for a test run: nothing that would replace a part of its stack, or name another
 * stack's.
 */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const unwanted = new Set<string>([
    'SLIPWAY_STATE_DIR',
    'SLIPWAY_RUN_DIR',
    'KUBECONFIG',
    ...REPLACEMENT_KEYS,
  ])
  return Object.fromEntries(Object.entries(env).filter(([key]) => !unwanted.has(key)))
}
