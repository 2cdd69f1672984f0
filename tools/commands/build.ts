import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  buildAndPushAgent,
  PACKAGES_BASE,
  parseRegistry,
  registrationOf,
} from '@slipway/agent-image'
import { ensureSystemPackages } from '@slipway/local/install/system-packages'
import { REGISTRY_ADDRESS } from '@slipway/local/parts/registry'
import { say } from '@slipway/local/progress'
import { stackDirectories } from '@slipway/local/stack/stack'
import { UsageError } from '@slipway/local/usage-error'

/**
 * `build [--registry REGISTRY] [--insecure] [--dockerfile | --project] [--base IMAGE] [FOLDER]`:
 * builds and pushes the images of the agent in FOLDER. Prints the body of the request that
 * registers the build.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      registry: { type: 'string', default: REGISTRY_ADDRESS },
      insecure: { type: 'boolean', default: false },
      dockerfile: { type: 'boolean', default: false },
      project: { type: 'boolean', default: false },
      base: { type: 'string', default: PACKAGES_BASE },
    },
    strict: true,
    allowPositionals: true,
  })
  const [given = '.', ...more] = positionals
  if (more.length > 0) throw new UsageError('build takes one folder')
  const folder = resolve(given)
  if (!existsSync(join(folder, 'astroai.yml')))
    throw new UsageError(`${folder} has no astroai.yml, the spec of an agent`)
  await ensureSystemPackages(say)
  const cacheDirectory = join(stackDirectories().cacheDir, 'images')
  parseRegistry(values.registry)
  const agent = await buildAndPushAgent(folder, {
    registry: values.registry,
    insecure: values.insecure,
    base: values.base,
    from: values.dockerfile ? 'dockerfile' : values.project ? 'project' : 'auto',
    cacheDirectory,
    attest: { directory: folder, cacheDirectory },
    onWarning: say,
    // This command is for checkouts that their developer trusts.
    allowOutside: async (access) => {
      for (const { kind, name } of access) say(`the Dockerfile gets the ${kind} ${name}`)
    },
    progress: say,
    onOutput: say,
  })
  for (const { reference, digest } of agent.images) say(`${reference}@${digest}`)
  console.log(JSON.stringify(await registrationOf(folder, agent), undefined, 2))
  return 0
}
