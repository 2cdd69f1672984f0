import { realpath } from 'node:fs/promises'

import { ApiError, ConnectionError } from '@slipway/client'

import type { Agent } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { whileLocked } from '../config/lock.ts'
import { configFolder } from '../config/paths.ts'
import { SettingsFile } from '../config/settings-file.ts'
import { CliError } from '../errors/cli-error.ts'

/**
 * The file `pushed-builds.json`: by folder without links, what it pushed last, if that was an
 * earlier build again.
 */
interface PushedBuilds {
  readonly folders: Folders
}

type Folders = Readonly<Record<string, PushedBuild>>

interface PushedBuild extends Agent {
  readonly server: string
  readonly build_id: string
  /** When the newest build was registered, at the time of the push. */
  readonly newest_registered_at: string
}

/** More folders than this are forgotten, the oldest first. */
const MOST_FOLDERS = 100

/**
 * Remembers for a folder that it has pushed an earlier build again, as reverted sources do, or
 * forgets it after the push of a new one. Deploys of the folder then take what was pushed.
 */
export async function rememberPush(
  cli: Cli,
  folder: string,
  pushed: Agent & { readonly build_id: string; readonly isOlder: boolean },
): Promise<void> {
  const { isOlder, account, name, build_id } = pushed
  const place = await realpath(folder)
  // The build is registered, so the push doesn't fail with what comes after it.
  try {
    const file = fileOf(cli)
    if (!isOlder && (await readFolders(file))[place] === undefined) return
    const [newest] = isOlder ? await buildsOf(cli, { account, name }) : []
    const registered = newest?.registered_at
    const own =
      registered === undefined
        ? undefined
        : {
            server: (await cli.server()).url,
            account,
            name,
            build_id,
            newest_registered_at: registered,
          }
    await whileLocked(file.path, async () => {
      const { [place]: _, ...others } = await readFolders(file)
      const all = [...Object.entries(others), ...(own === undefined ? [] : [[place, own] as const])]
      await file.write({ folders: Object.fromEntries(all.slice(-MOST_FOLDERS)) })
    })
    if (own !== undefined)
      cli.printer.say(
        `deploys and publications from this folder take ${build_id} until a newer build is pushed`,
      )
  } catch (error) {
    const isKnown = [CliError, ApiError, ConnectionError].some((each) => error instanceof each)
    if (!isKnown) throw error
    warn(
      cli,
      `what was pushed is not remembered: ${reasonOf(error)}` +
        (isOlder ? `; slipway deploy ${name} --build ${build_id} takes it` : ''),
    )
  }
}

/**
 * The build that a folder has pushed last, if it isn't the newest one: that of reverted sources.
 * Undefined if a newer build was registered since, by anyone.
 */
export async function pushedBuild(
  cli: Cli,
  folder: string,
  { account, name }: Agent,
): Promise<string | undefined> {
  const place = await realpath(folder)
  const known = await readFolders(fileOf(cli)).then(
    (folders) => folders[place],
    (error: unknown) => {
      if (!(error instanceof CliError)) throw error
      warn(cli, `the newest build is taken, not what this folder has pushed: ${reasonOf(error)}`)
      return undefined
    },
  )
  if (known?.name !== name || known.account !== account) return undefined
  if (known.server !== (await cli.server()).url) return undefined
  const builds = await buildsOf(cli, { account, name })
  const newest = builds[0]
  const { build_id: build, newest_registered_at: before } = known
  if (newest === undefined || newest.build_id === build) return undefined
  if ((newest.registered_at ?? '') > before) return undefined
  if (!builds.some((each) => each.build_id === build)) {
    warn(
      cli,
      `the build ${build}, which this folder has pushed last, is no longer listed; the newest ` +
        `one is taken: ${newest.build_id}`,
    )
    return undefined
  }
  cli.printer.say(
    `the build is ${build}, which this folder has pushed last; the newest one is ` +
      `${newest.build_id}, and --build ${newest.build_id} takes it`,
  )
  return build
}

function fileOf(cli: Cli): SettingsFile<PushedBuilds> {
  return new SettingsFile<PushedBuilds>(configFolder(cli.env), 'pushed-builds.json')
}

async function readFolders(file: SettingsFile<PushedBuilds>): Promise<Folders> {
  const content = await file.read()
  if (content === undefined) return {}
  // Anyone may have edited it.
  const folders: unknown = (content as Partial<PushedBuilds> | null)?.folders
  if (typeof folders === 'object' && folders !== null) return folders as Folders
  throw new CliError(`${file.path} has no folders`, {
    code: 'broken_settings',
    next: 'correct or delete the file',
  })
}

function warn(cli: Cli, text: string): void {
  cli.printer.say(`warning: ${text}`, 'warning')
}

function reasonOf(error: unknown): string {
  const { message } = error as Error
  return error instanceof CliError && error.next ? `${message}; ${error.next}` : message
}

/** The builds of an agent, the newest first. */
async function buildsOf(cli: Cli, agent: Agent) {
  const client = await cli.client()
  const request = { params: { path: { ...agent } }, signal: cli.signal }
  return (await client.GET('/api/v1/agents/{account}/{name}', request)).data.versions
}
