import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../client.ts'
import type { ApiClient } from '../client.ts'
import { isToRemove, isToProvide, volumeFor } from './volume-objects.ts'
import type { Claim, Volume } from './volume-objects.ts'

const claimsPath = '/api/v1/persistentvolumeclaims'
const volumesPath = '/api/v1/persistentvolumes'

interface List<T> {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly T[]
}

/**
 * Gives every claim of our class a directory below `root` that any user may write to, and removes it with the claim,
 * until told to stop. What is to do is always found by comparing claims with volumes; a watch only says when to look.
 */
export async function provideVolumes(client: ApiClient, root: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await roundsUntilWatchEnds(client, root, signal)
    } catch (error) {
      if (signal.aborted) return
      console.error(`volumes: ${error instanceof Error ? error.message : String(error)}`)
      await sleep(1000, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function roundsUntilWatchEnds(client: ApiClient, root: string, stop: AbortSignal): Promise<void> {
  const versions = await reconcileVolumes(client, root)
  const ended = new AbortController()
  const signal = AbortSignal.any([stop, ended.signal])
  let changed = Promise.withResolvers<void>()
  const watches = [
    [claimsPath, versions.claims],
    [volumesPath, versions.volumes],
  ].map(([path, version]) => {
    const query = `watch=1&timeoutSeconds=300&allowWatchBookmarks=false&resourceVersion=${version}`
    return client.watch(`${path}?${query}`, () => changed.resolve(), signal)
  })
  const over = Promise.race(watches).then(() => 'over' as const)
  over.catch(() => undefined) // seen by the race below, unless a round fails first
  try {
    while ((await Promise.race([over, changed.promise.then(() => 'changed' as const)])) === 'changed') {
      changed = Promise.withResolvers<void>()
      await reconcileVolumes(client, root)
    }
  } finally {
    ended.abort()
    await Promise.allSettled(watches)
  }
}

/** Makes what is missing and removes what is no longer claimed. Returns the versions of the lists that it acted on. */
async function reconcileVolumes(client: ApiClient, root: string): Promise<{ claims: string; volumes: string }> {
  const [claims, volumes] = await Promise.all([
    client.call('GET', claimsPath) as Promise<List<Claim>>,
    client.call('GET', volumesPath) as Promise<List<Volume>>,
  ])
  for (const claim of claims.items.filter(isToProvide)) {
    const volume = volumeFor(claim, root)
    const directory = join(root, volume.metadata.name)
    await mkdir(directory, { recursive: true })
    // Pods run as any user but root; mkdir's own mode is cut by the umask.
    await chmod(directory, 0o777)
    await client.call('POST', volumesPath, volume).catch(unlessStatus(409))
  }
  for (const volume of volumes.items.filter(isToRemove)) {
    await rm(join(root, volume.metadata.name), { recursive: true, force: true })
    await client.call('DELETE', `${volumesPath}/${volume.metadata.name}`).catch(unlessStatus(404))
  }
  return { claims: claims.metadata.resourceVersion, volumes: volumes.metadata.resourceVersion }
}

function unlessStatus(status: number) {
  return (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== status) throw error
  }
}
