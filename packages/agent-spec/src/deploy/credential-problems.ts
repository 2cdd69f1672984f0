import type { DeploymentTemplate } from '../template/template-types.ts'
import type { FilledTemplate } from './fill-template.ts'

/**
 * Reports required credentials that neither the request nor the live deployment has. Messages
 * contain keys, never values.
 */
export function credentialProblems({ template, values }: FilledTemplate): string[] {
  const present = new Set(values.credentialKeys)
  const keysFor = alternativeKeys(template)
  return Object.entries(template.credentials).flatMap(([key, { optional, secret }]) => {
    if (optional === true || keysFor(key).some((name) => present.has(name))) return []
    const what = secret === false ? 'value' : 'credential'
    return [`user_credentials.${key}: a required ${what} is missing`]
  })
}

/**
 * Indexes the credentials of a template that share a value. The returned function lists the keys
 * under which a credential can be set, its own key first.
 */
export function alternativeKeys(template: DeploymentTemplate): (key: string) => string[] {
  const others = new Map<string, string[]>()
  const add = (key: string, other: string) => others.set(key, [...(others.get(key) ?? []), other])
  for (const [key, { same_as: other }] of Object.entries(template.credentials)) {
    if (other === undefined) continue
    add(key, other)
    add(other, key)
  }
  return (key) => [key, ...(others.get(key) ?? [])]
}
