import { REPLACEMENT_KEYS } from '../stack/settings.ts'

/** Removes variables that would replace a part of the test run's stack or name another stack. */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const unwanted = new Set<string>([
    'SLIPWAY_STATE_DIR',
    'SLIPWAY_RUN_DIR',
    'KUBECONFIG',
    ...REPLACEMENT_KEYS,
  ])
  return Object.fromEntries(Object.entries(env).filter(([key]) => !unwanted.has(key)))
}
