import { runProgram } from '../run-program.ts'

/** The programs that build images from Dockerfiles, in the order in which they are chosen. */
export const ENGINES = ['docker', 'podman', 'buildah'] as const

/** A program that builds images from Dockerfiles. */
export type ContainerEngine = (typeof ENGINES)[number]

const TIMEOUT_MS = 20_000

/** Returns the first container engine of this machine that works; undefined if there is none. */
export async function findContainerEngine(
  signal?: AbortSignal,
): Promise<ContainerEngine | undefined> {
  for (const engine of ENGINES)
    if ((await engineProblem(engine, signal)) === undefined) return engine
  return undefined
}

/**
 * Why a container engine can't be used: an installed one may have no service, or no rights to use
 * it. Undefined if it works.
 */
export async function engineProblem(
  engine: ContainerEngine,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await runProgram(engine, ['info'], {
      missing: `${engine} is not installed`,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    return (error as Error).message
  }
}
