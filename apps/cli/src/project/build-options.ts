import { resolve } from 'node:path'

import type { BuildAgentOptions, BuildSource, PlatformName } from '@slipway/agent-image'
import type { FlagParametersForType } from '@stricli/core'

import type { Cli } from '../command/cli.ts'
import type { ProcessContext } from '../command/process-context.ts'
import { registryOf, type NamedContext } from '../config/contexts.ts'
import { CliError, usageError } from '../errors/cli-error.ts'
import { askForOutsideAccess } from './outside-access.ts'

/** The options of commands that build images. */
export interface BuildFlags {
  readonly registry?: string
  readonly from: BuildSource
  readonly base?: string
  readonly updateBase: boolean
  readonly platform?: readonly PlatformName[]
  readonly insecure: boolean
  readonly allowOutside: boolean
}

export const buildFlags: FlagParametersForType<BuildFlags, ProcessContext> = {
  registry: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'host/path',
    brief:
      'Where the images are pushed; by default SLIPWAY_REGISTRY, or where they were pushed before',
  },
  from: {
    kind: 'enum',
    values: ['auto', 'dockerfile', 'project'],
    default: 'auto',
    brief: 'What to build from; auto takes a Dockerfile if docker, podman or buildah works here',
  },
  base: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'image',
    brief:
      'The image in which a Node.js or Python project runs, or packages for those of Debian; by ' +
      'default SLIPWAY_BASE, that of the context, or the public slim image of its version',
  },
  updateBase: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Record in astroai.lock which public images the builds use now',
  },
  platform: {
    kind: 'enum',
    values: ['linux/amd64', 'linux/arm64'],
    variadic: ',',
    optional: true,
    brief: 'The platforms of the cluster, if they differ from this machine, separated by commas',
  },
  insecure: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Use plain HTTP for the registry',
  },
  allowOutside: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Let Dockerfiles use paths outside of the folder and variables, as astroai.yml says',
  },
}

/** The options of a build that these flags ask for. */
export async function buildOptions(
  cli: Cli,
  folder: string,
  flags: BuildFlags,
): Promise<BuildAgentOptions> {
  const { from, updateBase, platform, insecure } = flags
  const context = await contextOf(cli)
  return {
    registry: chosenRegistry(cli, flags.registry, context && registryOf(context, resolve(folder))),
    from,
    base: flags.base ?? (cli.env['SLIPWAY_BASE'] || context?.base),
    updateBase,
    platforms: platform,
    insecure,
    environment: cli.env,
    signal: cli.signal,
    onWarning: (line) => cli.printer.error(`warning: ${line}`, 'warning'),
    allowOutside: flags.allowOutside
      ? async () => {}
      : async (access) => await askForOutsideAccess(cli, folder, access),
    progress: (line) => cli.printer.say(line),
    onOutput: cli.flags.verbose ? (line) => cli.printer.error(line, 'faint') : undefined,
  }
}

/** The context, which a build does not need. */
async function contextOf(cli: Cli): Promise<NamedContext | undefined> {
  try {
    return (await cli.server()).context
  } catch (error) {
    if (error instanceof CliError && error.code === 'no_server') return undefined
    throw error
  }
}

function chosenRegistry(cli: Cli, given: string | undefined, known: string | undefined): string {
  const chosen = given ?? (cli.env['SLIPWAY_REGISTRY'] || known)
  if (chosen !== undefined) return chosen
  throw usageError(
    'no registry is chosen for the images',
    'use --registry HOST/PATH, which a push remembers, or set SLIPWAY_REGISTRY',
  )
}

/** Remembers the registry of a push, so that the next one needs no `--registry`. */
export async function rememberRegistry(
  cli: Cli,
  folder: string,
  { registry }: Pick<BuildFlags, 'registry'>,
): Promise<void> {
  const { context } = await cli.server()
  if (registry === undefined || context === undefined) return
  const { name, registry: former } = context
  if (!(await cli.contexts.rememberRegistry(name, resolve(folder), registry))) return
  const whose = former === undefined ? `all images of the context ${name}` : 'images of this folder'
  cli.printer.say(`${whose} are pushed to ${registry} from now on, unless --registry names another`)
}
