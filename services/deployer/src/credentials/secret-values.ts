import { PREFIX_LENGTH } from '../kubernetes/redact-forms.ts'
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

/** Members of a JSON credential that are secret, by name; others have public words. */
const SECRET_MEMBER = /(?:key|secret|token|pass(?:word|phrase|wd)?)$/i
/** Also with several hosts, as drivers of databases take them. */
const PASSWORD_OF_URL = /^\s*[a-z][a-z\d+.-]*:\/\/[^:/?#@\s]*:([^@\s]+)@/i

function withParts(key: string, value: string): string[] {
  if (key === '.dockerconfigjson') return [value, ...registryPasswords(value)]
  const parts = [...passwordOfUrl(value), ...secretMembers(value)]
  // Shorter ones are words that other texts have, too.
  const telling = parts.filter(({ length }) => length >= PREFIX_LENGTH)
  return [value, ...bareToken(value), ...telling]
}

/** The password of `postgres://user:password@host`, also as programs read it. */
function passwordOfUrl(value: string): string[] {
  const [, password] = PASSWORD_OF_URL.exec(value) ?? []
  if (password === undefined) return []
  try {
    return [...new Set([password, decodeURIComponent(password)])]
  } catch {
    return [password]
  }
}

/** The secrets within a JSON credential, such as the private key of a service account. */
function secretMembers(value: string): string[] {
  if (!value.trimStart().startsWith('{')) return []
  const found: string[] = []
  try {
    JSON.parse(value, (name, member: unknown) => {
      if (typeof member === 'string' && SECRET_MEMBER.test(name)) found.push(member)
    })
  } catch {
    // Not JSON: the whole text is redacted anyway.
  }
  return found
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
