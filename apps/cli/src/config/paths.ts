import { join } from 'node:path'

import { folderIn, homeFolder } from '@slipway/agent-image/user-folders'

/**
 * The folder of the command line's settings: `SLIPWAY_CONFIG_DIR`, or `slipway` in
 * `XDG_CONFIG_HOME`, in `APPDATA` on Windows, or else in `~/.config`. Undefined if there is none,
 * because the process has no home folder.
 */
export function configFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env['SLIPWAY_CONFIG_DIR']) return env['SLIPWAY_CONFIG_DIR']
  const base = folderIn(env, 'XDG_CONFIG_HOME') ?? (process.platform === 'win32' && env['APPDATA'])
  if (base) return join(base, 'slipway')
  const home = homeFolder(env)
  return home === undefined ? undefined : join(home, '.config', 'slipway')
}
