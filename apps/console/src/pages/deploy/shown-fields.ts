import type { DeployValues } from './deploy-values.ts'
import type { CredentialField, FormTemplate } from './read-template.ts'

interface Form {
  readonly fields: readonly CredentialField[]
  readonly template: FormTemplate
  readonly values: DeployValues
}

/** The fields of a request that a form shows, as in the problems of the server. */
export function shownFields({ fields, template, values }: Form): ReadonlySet<string> {
  return new Set([
    'interfaces',
    ...fields.map(({ key }) => `user_credentials.${key}`),
    ...template.schedules.map((name) => `schedules.${name}`),
    ...template.parts.flatMap(({ settings }) => settings.map(({ path }) => `overrides.${path}`)),
    ...values.others.map(({ path }) => `overrides.${path.trim()}`),
  ])
}
