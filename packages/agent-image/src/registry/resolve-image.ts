import { parseImage } from '@slipway/agent-spec'
import { resolveTag } from './pull.ts'
import { RepositoryClient, type RegistryAccess } from './registry-client.ts'
import { parseRegistry } from './registry-location.ts'

/** An image in its registry. */
export interface RepositoryImage {
  readonly client: RepositoryClient
  readonly digest: string
}

/**
 * Finds an image in its registry, with the logins of docker or podman. Throws an error if the name
 * is not valid, and RegistryError if the registry doesn't return its digest.
 */
export async function findImage(
  name: string,
  options: RegistryAccess = {},
): Promise<RepositoryImage> {
  const reference = parseImage(name)
  if (reference === undefined)
    throw new Error(`${JSON.stringify(name)} is not the name of an image`)
  const { origin } = parseRegistry(reference.registry, options.insecure)
  const client = new RepositoryClient(origin, reference.repository, 'pull', options)
  const digest = reference.digest ?? (await resolveTag(client, reference.tag ?? 'latest'))
  return { client, digest }
}

/** Returns the digest that the name of an image has now. */
export async function resolveImage(name: string, options?: RegistryAccess): Promise<string> {
  return (await findImage(name, options)).digest
}
