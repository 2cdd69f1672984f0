import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { PACKAGES_BASE } from '@slipway/agent-image'
import { REGISTRY_ADDRESS } from '@slipway/local/parts/registry'

/**
 * Adds the stack to the contexts of the command line as `local`, for the user who called sudo. It
 * becomes the current context if there is none. Returns why that failed, for example because the
 * home folder is read-only.
 */
export function addLocalContext(checkout: string, url: string): string | undefined {
  const { SUDO_UID, SUDO_GID } = process.env
  const isForAnother = process.getuid?.() === 0 && SUDO_UID !== undefined && SUDO_UID !== '0'
  const program = join(checkout, 'apps/cli/src/main.ts')
  // The stack needs no network, so neither do builds for it.
  const options = ['--registry', REGISTRY_ADDRESS, '--base', PACKAGES_BASE, '--no-use']
  const add = ['context', 'add', 'local', url, ...options]
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, ...add],
    {
      encoding: 'utf8',
      ...(isForAnother && { uid: Number(SUDO_UID), gid: Number(SUDO_GID) }),
    },
  )
  return status === 0 ? undefined : stderr
}
