import { randomBytes } from 'node:crypto'

import {
  storesWithPassword,
  type ComponentKind,
  type DeploymentTemplate,
  type TemplateSettings,
} from '@slipway/agent-spec'

import { passwordSecretName } from '../manifests/config-and-secrets.ts'
import type { Identity } from '../manifests/identity.ts'
import type { PlannedSecret } from './plan-secrets.ts'
import type { SecretContents } from './read-secrets.ts'

/** The key of a generated password in its Secret. */
export const PASSWORD_KEY = 'password'

/**
 * The generated passwords of the stores that need one: those that the cluster has, new ones for new
 * stores.
 */
export function storePasswords(
  identity: Identity,
  template: DeploymentTemplate,
  settings: TemplateSettings,
  contents: SecretContents,
): { passwords: Record<string, string>; secrets: PlannedSecret[] } {
  const secrets: PlannedSecret[] = []
  const passwords: [string, string][] = []
  for (const store of storesWithPassword(template, settings)) {
    const { kind, entry } = refOfStore(store)
    const name = passwordSecretName(identity, kind, entry)
    const password = contents.get(name)?.[PASSWORD_KEY] ?? randomBytes(24).toString('base64url')
    passwords.push([store, password])
    secrets.push({ component: '', ref: { kind, entry }, name, data: { [PASSWORD_KEY]: password } })
  }
  return { passwords: Object.fromEntries(passwords), secrets }
}

/** The component that a store's path in the template, `knowledge.docs`, stands for. */
export function refOfStore(store: string): {
  readonly kind: ComponentKind
  readonly entry: string
} {
  const kind = store.startsWith('models.')
    ? 'model'
    : store.startsWith('tools.')
      ? 'tool'
      : 'knowledge'
  return { kind, entry: store.slice(store.indexOf('.') + 1) }
}
