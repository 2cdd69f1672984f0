import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { LOCKFILES, type ManagerName } from '@slipway/agent-image'

const MANAGERS = Object.keys(LOCKFILES) as ManagerName[]
const COMMAND = /\bnpm (install|test|start)\b/g

/**
 * Returns the package manager that is used for Node.js in a folder: that of the nearest lockfile
 * in it or above, or the one that runs this command, or npm.
 */
export function managerUsedIn(folder: string, env: NodeJS.ProcessEnv): ManagerName {
  for (let at = folder; ; at = dirname(at)) {
    const found = MANAGERS.find((each) =>
      LOCKFILES[each].some((lockfile) => existsSync(join(at, lockfile))),
    )
    if (found !== undefined) return found
    if (at === dirname(at)) break
  }
  const running = /^\w+/.exec(env['npm_config_user_agent'] ?? '')?.[0]
  return MANAGERS.find((each) => each === running) ?? 'npm'
}

/** Replaces the commands of npm in a text by those of another manager. */
export function withCommandsOf(manager: ManagerName, text: string): string {
  return text.replaceAll(COMMAND, (command, name: string) => {
    if (manager === 'npm') return command
    // `bun test` is another program than the script.
    return manager === 'bun' && name !== 'install' ? `bun run ${name}` : `${manager} ${name}`
  })
}
