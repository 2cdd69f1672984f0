import { own } from '../json.ts'
import type { DeploymentTemplate } from '../template/template-types.ts'
import type { FilledTemplate } from './fill-template.ts'

/** The required credentials that neither the request nor the live deployment has: keys only, never values. */
export function credentialProblems({ template, values }: FilledTemplate): string[] {
  const present = new Set(values.credentialKeys)
  return Object.entries(template.credentials).flatMap(([key, { optional, secret }]) => {
    if (optional === true || credentialKeysFor(template, key).some((name) => present.has(name))) return []
    const what = secret === false ? 'value' : 'credential'
    return [`user_credentials.${key}: a required ${what} is missing`]
  })
}

/** The keys whose values may stand for a credential, its own first. */
export function credentialKeysFor(template: DeploymentTemplate, key: string): string[] {
  const other = own(template.credentials, key)?.same_as
  const reverse = Object.entries(template.credentials).flatMap(([name, { same_as }]) => (same_as === key ? [name] : []))
  return [key, ...(other === undefined ? [] : [other]), ...reverse]
}
