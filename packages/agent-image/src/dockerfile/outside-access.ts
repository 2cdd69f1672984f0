import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isInside } from '../inside.ts'
import { dockerfileOf, type DockerfileBuild } from './build-dockerfile.ts'

/**
 * What a build takes from outside of the agent's folder: a folder or file of this machine, or a
 * variable of the environment.
 */
export interface OutsideAccess {
  readonly kind: 'path' | 'variable'
  /** The path without links, or the name of the variable. */
  readonly name: string
}

/** Names as docker has them; anything else could add options to a secret. */
const ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Returns those of these paths that are outside of the agent's folder. */
export async function outsidePaths(
  folder: string,
  paths: readonly string[],
): Promise<OutsideAccess[]> {
  const root = await realpath(folder)
  const names = await Promise.all(paths.map((path) => realpath(path).catch(() => path)))
  return names.flatMap((name) => (isInside(root, name) ? [] : [{ kind: 'path', name }]))
}

/**
 * Returns what a build from a Dockerfile takes from outside of the agent's folder. Throws if a
 * secret of the build has a name that docker doesn't take.
 */
export async function outsideAccessOf(
  folder: string,
  build: DockerfileBuild,
): Promise<OutsideAccess[]> {
  const paths = [resolve(folder, build.context ?? '.'), dockerfileOf(folder, build)]
  const access = await outsidePaths(folder, paths)
  for (const { id, env = id } of build.secrets ?? []) {
    if (!ID.test(id) || !VARIABLE.test(env))
      throw new Error(
        `astroai.yml: a secret of a build has the id ${JSON.stringify(id)} and the variable ` +
          `${JSON.stringify(env)}; use letters, digits and _ in both, and . or - in the id`,
      )
    access.push({ kind: 'variable', name: env })
  }
  return access
}
