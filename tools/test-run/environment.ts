import { join } from 'node:path'
import { PACKAGES_BASE } from '@slipway/agent-image'
import { pythonPackagesFolder } from '@slipway/local/install/python-packages'
import { REPLACEMENT_KEYS } from '@slipway/local/stack/settings'
import { ensureDirectory } from '@slipway/local/stack/stack'
import type { StackDirectories } from '@slipway/local/stack/stack'

/**
 * The environment of a test run, without variables that would replace a part of its stack or select
 * another stack.
 */
export function testEnvironment(directories: StackDirectories): NodeJS.ProcessEnv {
  const unwanted = new Set<string>([
    'SLIPWAY_STATE_DIR',
    'SLIPWAY_RUN_DIR',
    'KUBECONFIG',
    ...REPLACEMENT_KEYS,
  ])
  const kept = Object.entries(process.env).filter(([key]) => !unwanted.has(key))
  return {
    ...Object.fromEntries(kept),
    ...cpuSavingSettings(directories),
    // Test runs have no network.
    SLIPWAY_BASE: PACKAGES_BASE,
    SLIPWAY_PYTHON_PACKAGES: pythonPackagesFolder(directories),
  }
}

// A run starts many processes on few cores. Compilation takes a third of a service's start-up time,
// and garbage collection a fifth of the API server's CPU time.
function cpuSavingSettings(directories: StackDirectories): Record<string, string> {
  const compileCache = join(directories.cacheDir, 'compile-cache')
  ensureDirectory(directories, compileCache, 0o755)
  return { NODE_COMPILE_CACHE: compileCache, GOGC: '400' }
}
