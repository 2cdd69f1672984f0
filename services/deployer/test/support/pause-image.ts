import type { KubernetesClient } from '../../src/kubernetes/client.ts'

/** Returns the image of the pause container, which the registry of every stack has. */
export async function pauseImage(cluster: KubernetesClient): Promise<string> {
  type Nodes = { items: { status: { images?: { names?: string[] }[] } }[] }
  const { body } = await cluster.send<Nodes>({ method: 'GET', path: '/api/v1/nodes' })
  const names = body.items
    .flatMap(({ status }) => status.images ?? [])
    .flatMap(({ names: all }) => all ?? [])
  const found = names.find((name) => name.includes('/pause:'))
  if (found === undefined) throw new Error('the cluster has no node with a pause image')
  return found
}
