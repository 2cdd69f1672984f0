import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PACKAGES_BASE } from '../../src/index.ts'
import { AgentImageBuilder } from '../../src/parts.ts'
import { defaultCacheDirectory } from '../../src/image/layer-cache.ts'
import { runProgram } from '../../src/run-program.ts'
import { commandEnvironment } from './clean-root.ts'
import { specOf, type CorpusProject } from './corpus-project.ts'
import { managerCommand } from './managers.ts'

/** What managers leave when they write a lockfile. */
const LEFT = [
  'node_modules',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.yarn/cache',
  '.yarn/unplugged',
  '.venv',
]

/** A project whose files are on this machine. */
export interface PreparedProject {
  readonly root: string
  /** The agent's folder. */
  readonly folder: string
}

/**
 * Writes the files of a project, with the lockfile that its manager makes, to a folder of the
 * cache. Without a lockfile in the cache, this needs a network.
 */
export async function preparedProject(project: CorpusProject): Promise<PreparedProject> {
  const { files, make, lock, manager, lockManager, folder = '', name, environment } = project
  const spec = specOf(project)
  const key = JSON.stringify([
    files,
    make?.toString(),
    lock,
    manager,
    lockManager,
    environment,
    spec,
  ])
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12)
  const corpus = join(dirname(defaultCacheDirectory()), 'corpus')
  const place = join(corpus, hash)
  if (!existsSync(place)) {
    await mkdir(corpus, { recursive: true })
    const draft = await mkdtemp(join(corpus, '.draft-'))
    try {
      const root = join(draft, name)
      await writeFiles(root, { ...files, [join(folder, 'astroai.yml')]: spec })
      await make?.(root)
      if (lock !== undefined) await writeLockfile(project, root, lock)
      // Another run may have been faster.
      await rename(draft, place).catch((error: unknown) => {
        if (!existsSync(place)) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  const root = join(place, name)
  return { root, folder: join(root, folder) }
}

/** Builds projects, so that their layers are in the cache and later builds need no network. */
export async function prepareProjects(
  projects: readonly CorpusProject[],
  progress: (line: string) => void,
): Promise<void> {
  for (const project of projects) {
    const { folder } = await preparedProject(project)
    await AgentImageBuilder.open(folder, { base: PACKAGES_BASE, progress })
  }
}

async function writeFiles(root: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}

async function writeLockfile(
  project: CorpusProject,
  root: string,
  lock: readonly string[],
): Promise<void> {
  const [program = '', ...args] = await managerCommand(project.lockManager ?? project.manager)
  await runProgram(program, [...args, ...lock], {
    folder: root,
    environment: { ...commandEnvironment(project), CI: '' },
    missing: `can't run ${program}`,
  })
  for (const each of LEFT) await rm(join(root, each), { recursive: true, force: true })
}
