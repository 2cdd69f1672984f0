import { join } from 'node:path'
import { PACKAGES_BASE } from '@slipway/agent-image'
import { corpusOf, prepareProjects, type CorpusRun } from '@slipway/agent-image/corpus'
import { AgentImageBuilder, LayerCache, debianPython } from '@slipway/agent-image/parts'
import { buildStoreImages } from '@slipway/images'
import { installApiTools } from '@slipway/local/install/api-tools'
import { chartSchemas } from '@slipway/local/install/chart-schemas'
import { builtConsole } from '@slipway/local/install/console'
import { buildPlatformImage, PLATFORM_IMAGES } from '@slipway/local/install/platform-images'
import { partReport } from '@slipway/local/progress'
import type { StackDirectories } from '@slipway/local/stack/stack'
import {
  ensureSystemPackages,
  systemPackages,
  testPackages,
} from '@slipway/local/install/system-packages'
import { installPythonPackages } from '@slipway/local/install/python-packages'
import { installTemplatePackages } from '@slipway/local/install/template-packages'
import { buildTool } from '@slipway/local/install/toolchain'
import { TOOLS } from '@slipway/local/install/tools'
import { serviceProgram } from '@slipway/local/install/unpacked-program'

/** What only some tests need. */
export interface PreparedPackages {
  readonly needsApiTools?: boolean
  readonly needsTemplatePackages?: boolean
  /** The run whose projects of the corpus are tested. */
  readonly corpus?: CorpusRun | undefined
}

/** Fetches and builds everything that needs the network, so that the tests need none. */
export async function prepareEverything(
  directories: StackDirectories,
  { needsApiTools = false, needsTemplatePackages = false, corpus }: PreparedPackages = {},
): Promise<void> {
  const report = partReport()
  const prepare = async (name: string, run: (log: (line: string) => void) => Promise<unknown>) => {
    const start = performance.now()
    await run((line) => report.log(name, line))
    report.done(name, performance.now() - start)
  }
  await prepare('system packages', async (log) => {
    await ensureSystemPackages(log, [...systemPackages, ...testPackages])
  })
  await prepare('console', async (log) => await builtConsole(directories, log))
  // Each tool build uses all cores, and apt locks its lists, so only one of each runs at a time.
  await Promise.all([buildTools(), buildImages()])

  async function buildTools(): Promise<void> {
    for (const tool of TOOLS)
      await prepare(tool, async (log) => await buildTool(directories, tool, log))
    await prepare('chart schemas', async (log) => await chartSchemas(directories, log))
    if (needsApiTools)
      await prepare('API tools', async (log) => await installApiTools(directories, log))
  }

  async function buildImages(): Promise<void> {
    const cacheDirectory = join(directories.cacheDir, 'images')
    for (const name of ['support-agent', 'notes-agent']) {
      await prepare(`${name} image`, async (progress) => {
        const example = join(directories.checkout, 'examples', name)
        await AgentImageBuilder.open(example, { base: PACKAGES_BASE, cacheDirectory, progress })
      })
    }
    await prepare(
      'python',
      async (progress) => await debianPython(new LayerCache(cacheDirectory), progress),
    )
    await prepare('Python packages', async (log) => await installPythonPackages(directories, log))
    if (needsTemplatePackages)
      await prepare(
        'packages of templates',
        async (log) => await installTemplatePackages(directories, log),
      )
    if (corpus !== undefined)
      await prepare(
        'projects of the corpus',
        async (log) => await prepareProjects(corpusOf(corpus), log),
      )
    await prepare(
      'store images',
      async (progress) => await buildStoreImages({ cacheDirectory, progress }),
    )
    for (const name of PLATFORM_IMAGES.filter((each) => each !== 'nats'))
      await prepare(
        `${name} image`,
        async (log) => await buildPlatformImage(directories, name, log),
      )
    await prepare('nginx', async (log) => await serviceProgram(directories, 'nginx', log))
  }
}
