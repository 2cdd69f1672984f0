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

/** Returns the generated passwords of stores: stored ones, and new ones for new stores. */
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

/** Returns the component of a store from its path in the template, e.g. `knowledge.docs`. */
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
