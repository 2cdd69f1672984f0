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
  for (const engine of ENGINES) if (await works(engine, signal)) return engine
  return undefined
}

// An installed engine may have no service, or no rights to use it.
async function works(engine: ContainerEngine, signal: AbortSignal | undefined): Promise<boolean> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await runProgram(engine, ['info'], {
      missing: `${engine} is not installed`,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return true
  } catch {
    signal?.throwIfAborted()
    return false
  }
}
