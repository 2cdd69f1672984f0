import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../client.ts'
import type { ApiClient } from '../client.ts'
import { keepReconciled } from '../reconcile.ts'
import type { List } from '../reconcile.ts'
import { isToRemove, isToProvide, volumeFor } from './volume-objects.ts'
import type { Claim, Volume } from './volume-objects.ts'

const CLAIMS_PATH = '/api/v1/persistentvolumeclaims'
const VOLUMES_PATH = '/api/v1/persistentvolumes'

/**
 * Creates a directory below `root`, writable for any user, for every claim of the class, and
 * deletes it after the claim, until the signal aborts.
 */
export async function provideVolumes(
  client: ApiClient,
  root: string,
  signal: AbortSignal,
): Promise<void> {
  await keepReconciled(
    client,
    { name: 'volumes', round: async () => await reconcileVolumes(client, root) },
    signal,
  )
}

/** Creates missing volumes and deletes those without a claim. */
async function reconcileVolumes(
  client: ApiClient,
  root: string,
): Promise<ReadonlyMap<string, string>> {
  const [claims, volumes] = await Promise.all([
    client.call('GET', CLAIMS_PATH) as Promise<List<Claim>>,
    client.call('GET', VOLUMES_PATH) as Promise<List<Volume>>,
  ])
  for (const claim of claims.items.filter(isToProvide)) {
    const volume = volumeFor(claim, root)
    const directory = join(root, volume.metadata.name)
    await mkdir(directory, { recursive: true })
    // Pods run as any user but root; the umask restricts the mode that mkdir sets.
    await chmod(directory, 0o777)
    await client.call('POST', VOLUMES_PATH, volume).catch(unlessStatus(409))
  }
  for (const volume of volumes.items.filter(isToRemove)) {
    await rm(join(root, volume.metadata.name), { recursive: true, force: true })
    await client.call('DELETE', `${VOLUMES_PATH}/${volume.metadata.name}`).catch(unlessStatus(404))
  }
  return new Map([
    [CLAIMS_PATH, claims.metadata.resourceVersion],
    [VOLUMES_PATH, volumes.metadata.resourceVersion],
  ])
}

function unlessStatus(status: number) {
  return (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== status) throw error
  }
}
