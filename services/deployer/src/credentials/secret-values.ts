import type { RenderedObject } from '../manifests/render.ts'
import type { Secret } from '../manifests/types.ts'
import { credentialOfKey } from './plan-secrets.ts'
import type { SecretContents } from './read-secrets.ts'

/**
 * Returns the values to redact from messages: those of the Secrets in `objects`, and parts of them
 * that a message may quote separately (the token of an encoded header and registry passwords).
 */
export function secretValuesOf(objects: readonly RenderedObject[]): string[] {
  return objects.flatMap(({ object }) => {
    if (object.kind !== 'Secret') return []
    const { data = {} } = object as Secret
    return Object.entries(data).flatMap(([key, encoded]) =>
      withParts(key, Buffer.from(encoded, 'base64').toString()),
    )
  })
}

/**
 * Like secretValuesOf, of Secrets that were read from the cluster. `isSecret` decides by the key of
 * a credential: the Secrets also have the values of plain inputs.
 */
export function secretValuesIn(
  contents: SecretContents,
  isSecret: (key: string) => boolean,
): string[] {
  return [...contents.values()].flatMap((data) =>
    Object.entries(data).flatMap(([key, value]) =>
      isSecret(credentialOfKey(key)) ? withParts(key, value) : [],
    ),
  )
}

function withParts(key: string, value: string): string[] {
  return [value, ...(key === '.dockerconfigjson' ? registryPasswords(value) : bareToken(value))]
}

function bareToken(value: string): string[] {
  return /^authorization=Bearer%20(.+)$/.exec(value)?.slice(1) ?? []
}

function registryPasswords(dockerConfig: string): string[] {
  const found: string[] = []
  try {
    JSON.parse(dockerConfig, (name, value: unknown) => {
      if (
        typeof value !== 'string' ||
        !['auth', 'identitytoken', 'password', 'registrytoken'].includes(name)
      )
        return
      found.push(value)
      if (name === 'auth')
        found.push(
          Buffer.from(value, 'base64')
            .toString()
            .replace(/^[^:]*:/, ''),
        )
    })
  } catch {
    // Not JSON: the cluster rejects it, and the whole text is redacted anyway.
  }
  return found
}
