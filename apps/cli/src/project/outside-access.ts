import { realpath } from 'node:fs/promises'

import type { OutsideAccess } from '@slipway/agent-image'

import type { Cli } from '../command/cli.ts'
import { consent, requireConsent } from '../command/consent.ts'
import { whileLocked } from '../config/lock.ts'
import { configFolder } from '../config/paths.ts'
import { SettingsFile } from '../config/settings-file.ts'

/** The file `allowed-builds.json`: what each project may use, by its folder without links. */
interface AllowedBuilds {
  readonly projects: Readonly<Record<string, readonly string[]>>
}

/**
 * Asks whether the builds of a project may use what is outside of it, and remembers the answer.
 * Asks again only for what it hasn't asked for before. Ends the command without consent.
 */
export async function askForOutsideAccess(
  cli: Cli,
  folder: string,
  access: readonly OutsideAccess[],
): Promise<void> {
  const file = new SettingsFile<AllowedBuilds>(configFolder(cli.env), 'allowed-builds.json')
  const project = await realpath(folder)
  const names = access.map(({ kind, name }) => `the ${kind} ${name}`)
  const known = (await file.read())?.projects[project] ?? []
  const added = names.filter((name) => !known.includes(name))
  if (added.length === 0) return
  const wish = `astroai.yml in ${project} gives its builds ${added.join(', ')}`
  if (!cli.isInteractive) cli.printer.say(wish)
  requireConsent(cli, { yes: false }, 'check astroai.yml, and use --allow-outside')
  await consent(cli, `${wish}. Allow this?`)
  await whileLocked(file.path, async () => {
    const projects = (await file.read())?.projects ?? {}
    const allowed = new Set([...(projects[project] ?? []), ...names])
    await file.write({ projects: { ...projects, [project]: [...allowed] } })
  })
}
