import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltImage } from '../build-agent.ts'
import { readCommit, type Commit } from '../commit.ts'
import { hashOf } from '../image/entries-hash.ts'
import { languageOf } from '../program/agent-image.ts'
import { readNodeProject } from '../program/node-project.ts'
import { PYTHON_LOCKFILES } from '../program/python-project.ts'
import { folderRules } from '../program/source-rules.ts'
import { readSourceTree } from '../program/source-tree.ts'

/** The predicate of the statement. */
export const PROVENANCE = 'https://slsa.dev/provenance/v1'

const BUILD_TYPE = 'https://slipway.dev/build/v1'
const BUILDER = 'https://slipway.dev/cli'

/** What the images of an agent were made from. */
export interface Materials {
  /** A hash of all sources, without secrets and what rules leave out. */
  readonly sources: string | undefined
  readonly lockfile: { readonly name: string; readonly sha256: string } | undefined
  readonly commit: Commit | undefined
}

/** Reads what is known of an agent's folder. */
export async function readMaterials(folder: string, signal?: AbortSignal): Promise<Materials> {
  // Dockerfiles build folders that have no project, or links that an image can't have.
  const known = async <Fact>(read: () => Promise<Fact>): Promise<Fact | undefined> =>
    await read().catch(() => {
      signal?.throwIfAborted()
      return undefined
    })
  return {
    sources: await known(async () => await hashOfSources(folder, signal)),
    lockfile: await known(async () => await lockfileOf(folder)),
    commit: await readCommit(folder, process.env, signal),
  }
}

async function hashOfSources(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const rules = await folderRules(folder, [], signal)
  const { entries } = await readSourceTree(folder, 'sources', [''], rules)
  return await hashOf(entries)
}

async function lockfileOf(folder: string): Promise<Materials['lockfile']> {
  const { root, lockfile } =
    languageOf(folder) === 'node'
      ? await readNodeProject(folder)
      : {
          root: folder,
          lockfile: ['requirements.txt', ...PYTHON_LOCKFILES].find((name) =>
            existsSync(join(folder, name)),
          ),
        }
  if (lockfile === undefined) return undefined
  const bytes = await readFile(join(root, lockfile))
  return { name: lockfile, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * Returns the statement of in-toto with the provenance of an image, as SLSA 1.0 defines it. It has
 * no time, so the same build gives the same bytes. It names no path of this machine.
 */
export function provenance(
  { reference, digest, target, builtFrom, base, platforms }: BuiltImage,
  { sources, lockfile, commit }: Materials,
  version: string | undefined,
): string {
  const [baseName, baseDigest] = base?.split('@sha256:') ?? []
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: reference.replace(/:[^:/]+$/, ''), digest: digestSet(digest) }],
    predicateType: PROVENANCE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { target, builtFrom, platforms, ...(base !== undefined && { base }) },
        resolvedDependencies: [
          ...(sources === undefined ? [] : [{ name: 'sources', digest: { sha256: sources } }]),
          ...(commit === undefined ? [] : [commitOf(commit)]),
          ...(lockfile === undefined
            ? []
            : [{ name: lockfile.name, digest: { sha256: lockfile.sha256 } }]),
          ...(baseDigest === undefined
            ? []
            : [{ name: 'base', uri: baseName, digest: { sha256: baseDigest } }]),
        ],
      },
      runDetails: {
        builder: { id: BUILDER, ...(version !== undefined && { version: { slipway: version } }) },
        metadata: {
          ...(commit?.ci_run_url !== undefined && { invocationId: commit.ci_run_url }),
        },
      },
    },
  }
  return `${JSON.stringify(statement, undefined, 2)}\n`
}

function commitOf({ id, branch, has_changes: hasChanges }: Commit): object {
  return {
    name: 'commit',
    digest: { gitCommit: id },
    annotations: {
      ...(branch !== undefined && { branch }),
      ...(hasChanges !== undefined && { hasChanges }),
    },
  }
}

function digestSet(digest: string): { sha256: string } {
  return { sha256: digest.replace(/^sha256:/, '') }
}
